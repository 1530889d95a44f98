import type { MarkdownLibrary, MarkdownRule, Token } from './token.ts';

const isCellOpen = ({ type }: Token): boolean => type === 'th_open';

/**
 * Makes tables fit for a policy without inline styles, and for screen readers: an alignment becomes a class, a head without words goes,
 * and an empty heading of a column becomes a cell.
 */
export const tablesRule: MarkdownRule = (state) => {
  for (const [index, token] of state.tokens.entries()) {
    if (/^t[hd]_open$/.test(token.type)) useClass(token);
    if (isCellOpen(token) && state.tokens[index + 1]?.content === '') makeCell(state.tokens, index);
  }
  state.tokens = withoutEmptyHeads(state.tokens);
};

function useClass(token: Token): void {
  const [, side] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? [];
  if (side !== undefined) token.attrs = [['class', side]];
}

/** The tokens of a cell are its beginning, its text and its end. */
function makeCell(tokens: readonly Token[], index: number): void {
  for (const token of [tokens[index], tokens[index + 2]]) if (token) token.tag = 'td';
}

function withoutEmptyHeads(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (!token) continue;
    const end = token.type === 'thead_open' ? endOfHead(tokens, index) : index;
    const isEmpty =
      end > index &&
      tokens.slice(index, end).every(({ type, content }) => type !== 'inline' || content === '');
    if (isEmpty) index = end;
    else kept.push(token);
  }
  return kept;
}

const endOfHead = (tokens: readonly Token[], from: number): number =>
  tokens.findIndex(({ type }, index) => index > from && type === 'thead_close');

/** Puts each table into a box that scrolls sideways. */
export function boxTables({ renderer }: MarkdownLibrary): void {
  renderer.rules.table_open = () => '<div class="scroller"><table>\n';
  renderer.rules.table_close = () => '</table></div>\n';
}
