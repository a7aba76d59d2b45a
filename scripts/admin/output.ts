type Row = Record<string, unknown>;

/** One JSON document for scripts; else one aligned line for each field that has a value. */
export function printRecord(record: Row, options: { json?: boolean | undefined }): void {
  console.log(options.json ? JSON.stringify(record, null, 2) : linesOf(record));
}

/** One JSON document for scripts; else a table of these columns. */
export function printTable(rows: Row[], columns: string[], options: { json?: boolean | undefined }): void {
  console.log(options.json ? JSON.stringify(rows, null, 2) : tableOf(rows, columns));
}

export function tableOf(rows: Row[], columns: string[]): string {
  if (rows.length === 0) return '(none)';
  const lines = [columns, ...rows.map((row) => columns.map((column) => cell(row[column])))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const aligned = lines.map((line) => line.map((text, index) => text.padEnd(widths[index] ?? 0)).join('  '));
  return aligned.map((line) => line.trimEnd()).join('\n');
}

function linesOf(record: Row): string {
  const shown = Object.entries(record).filter(([, value]) => value !== null && value !== undefined);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`).join('\n');
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
