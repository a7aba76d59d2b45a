import { openApiDocument } from '@frontdesk/contracts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/**
 * Holds the description of the API to the strict rules of Redocly and to those of Spectral. Whom to ask, and under which licence, is
 * each operator's to say.
 */
const REDOCLY_OFF = { 'info-license': 'off' } as const;
const SPECTRAL_OFF = { 'info-contact': 'off' } as const;

const document = openApiDocument();

const config = await createConfig({ extends: ['recommended-strict'], rules: REDOCLY_OFF });
const ofRedocly = (await lintFromString({ source: JSON.stringify(document), config })).map(
  ({ ruleId, message, location }) => `redocly ${ruleId}: ${message} ${location[0]?.pointer ?? ''}`,
);

const linter = new spectral.Spectral();
// Its own type doesn't fit the one that it is for.
const oas = rulesets.oas as unknown as RulesetDefinition;
linter.setRuleset({ extends: [[oas, 'recommended']], rules: SPECTRAL_OFF });
const ofSpectral = (await linter.run(document)).map(
  ({ code, message, path }) => `spectral ${code}: ${message} ${path.join('/')}`,
);

const faults = [...ofRedocly, ...ofSpectral];
for (const fault of faults) console.log(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
