import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked, type Token } from 'marked';

const ROOT = join(import.meta.dirname, '..', '..');

/** All that a page of the repository consists of, in its order: what another one holds comes after it. */
export function tokensOf(page: string): Token[] {
  const tokens: Token[] = [];
  void marked.walkTokens(marked.lexer(readFileSync(join(ROOT, page), 'utf8')), (token) => {
    tokens.push(token);
  });
  return tokens;
}
