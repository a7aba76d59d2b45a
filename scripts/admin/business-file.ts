import { readFile, writeFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { parse } from 'yaml';
import { WrongInput } from './faults.ts';

/** JSON is YAML, so one parser reads both. @throws WrongInput where there is no file or no document in it. */
export async function readBusinessFile(file: string): Promise<object> {
  const content = await readContent(file);
  const document = parseContent(file, content);
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new WrongInput(`${file} holds no business: expected an object with hours, services and staff.`);
  }
  return document;
}

/** @throws WrongInput where the file can't be written */
export async function writeBusinessFile(file: string, content: string): Promise<void> {
  try {
    await writeFile(file, content);
  } catch (error) {
    throw new WrongInput(`${file} can't be written: ${(error as Error).message}`, { cause: error });
  }
}

async function readContent(file: string): Promise<string> {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new WrongInput(`${file} can't be read: ${(error as Error).message}`, { cause: error });
  }
}

function parseContent(file: string, content: string): unknown {
  try {
    return parse(content);
  } catch (error) {
    const [firstLine] = (error as Error).message.split('\n');
    throw new WrongInput(`${file} is neither JSON nor YAML: ${firstLine}`, { cause: error });
  }
}
