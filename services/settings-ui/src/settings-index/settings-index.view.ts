import { html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { SETTINGS, settingsFor } from '../ui/navigation.rules.ts';
import type { PageContext } from '../ui/page-context.ts';
import { barePanel } from '../ui/panel.view.ts';

export const settingsIndexPage = (context: PageContext): string =>
  layout(context, {
    title: 'Settings',
    at: SETTINGS,
    body: html`<div class="settings-index">${settingsFor(context).map(({ name, pages }) =>
      barePanel(
        name,
        html`<h2>${name}</h2>
<ul>${pages.map((page) => html`<li><a href="${page.href}">${page.name}</a><p class="hint">${page.hint}</p></li>`)}</ul>`,
      ),
    )}</div>`,
  });
