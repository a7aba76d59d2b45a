import { type Html, html, type Renderable } from './html.ts';

interface Column<Row> {
  /** On narrow screens it stands before each cell. */
  name: string;
  cell: (row: Row) => Renderable;
  /** The cell says which row it is. */
  isName?: boolean;
  /** The cell's class. */
  look?: string | ((row: Row) => string | undefined);
}

interface Group<Row> {
  /** Stands above its rows. */
  heading: string | null;
  rows: readonly Row[];
}

interface Parts<Row> {
  /** Those that are false are left out. */
  columns: readonly (Column<Row> | false)[];
  /** The last column: buttons or a link, under a name that is only read aloud. */
  buttons?: Pick<Column<Row>, 'name' | 'cell'> | false;
  idOf?: (row: Row) => string;
  isCompact?: boolean;
}

type Table<Row> = Parts<Row> & (Pick<Group<Row>, 'rows'> | { groups: readonly Group<Row>[] });

export function table<Row>({ columns, buttons, idOf, isCompact, ...content }: Table<Row>): Html {
  const shown = columns.filter((column) => column !== false);
  const groups = 'groups' in content ? content.groups : [{ heading: null, rows: content.rows }];
  const width = shown.length + (buttons ? 1 : 0);
  return html`<table class="list${isCompact && ' compact'}"><thead><tr>${shown.map(
    ({ name }) => html`<th scope="col">${name}</th>`,
  )}${buttons && html`<th scope="col"><span class="for-reader">${buttons.name}</span></th>`}</tr></thead>
${groups.map(
  ({ heading, rows }) =>
    html`<tbody>${
      heading !== null && html`<tr class="group"><th scope="rowgroup" colspan="${width}">${heading}</th></tr>`
    }${rows.map(
      (row) =>
        html`<tr${idOf && html` id="${idOf(row)}"`}>${shown.map((column) => cellOf(column, row))}${
          buttons && html`<td class="actions">${buttons.cell(row)}</td>`
        }</tr>`,
    )}</tbody>`,
)}</table>`;
}

function cellOf<Row>({ name, cell, isName, look }: Column<Row>, row: Row): Html {
  if (isName) return html`<th scope="row" data-label="${name}">${cell(row)}</th>`;
  const looks = typeof look === 'function' ? look(row) : look;
  return html`<td data-label="${name}"${looks && html` class="${looks}"`}>${cell(row)}</td>`;
}
