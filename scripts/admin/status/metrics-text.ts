/** One measured value of Prometheus's text format. */
export interface Sample {
  name: string;
  labels: Readonly<Record<string, string>>;
  value: number;
}

const SAMPLE = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})? (\S+)/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const ESCAPED = /\\(.)/g;

/** What `/metrics` says. Comments, and lines that are no samples, are left out. */
export function samplesOf(text: string): Sample[] {
  return text.split('\n').flatMap((line) => {
    const [, name, labels = '', value] = SAMPLE.exec(line) ?? [];
    return name === undefined ? [] : [{ name, labels: labelsOf(labels), value: Number(value) }];
  });
}

const labelsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(LABEL)].map(([, label, value = '']) => [
      label,
      value.replace(ESCAPED, (_, character: string) => (character === 'n' ? '\n' : character)),
    ]),
  );
