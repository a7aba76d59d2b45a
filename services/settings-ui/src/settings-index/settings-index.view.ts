import { html } from '../ui/html.ts';
import { layout } from '../ui/layout.view.ts';
import { SETTINGS, SETTINGS_GROUPS } from '../ui/navigation.rules.ts';
import type { PageContext } from '../ui/page-context.ts';
import { barePanel } from '../ui/panel.view.ts';

export const settingsIndexPage = (context: PageContext): string =>
  layout(context, {
    title: 'Settings',
    at: SETTINGS,
    body: html`<div class="settings-index">${SETTINGS_GROUPS.map(({ name, pages }) =>
      barePanel(
        name,
        html`<h2>${name}</h2>
<ul>${pages.map((page) => html`<li><a href="${page.href}">${page.name}</a><p class="hint">${page.hint}</p></li>`)}</ul>`,
      ),
    )}</div>`,
  });
