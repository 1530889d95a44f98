/** A piece of prose in a file. It has as many lines as in the file; what is not prose in it is replaced by spaces. */
export interface Prose {
  readonly text: string;
  /** Offset of the text in the file. */
  readonly start: number;
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');
const withoutCode = (text: string): string => text.replaceAll(/``[^`]+``|`[^`\n]*(?:\n[^`\n]+)?`/g, blank);
const withoutMarks = (text: string): string =>
  text.replaceAll(/^[ \t]*(?:\/\*\*?|\*\/?|\/\/|#+)|\*\/$/gm, blank);

/** Characters after which a slash begins a regular expression and not a division. */
const beforeRegex =
  /(?:^|[=(,;:!&|?{}[+\-*%~^<>]|\b(?:return|typeof|case|of|in|await|yield|void|do|else))\s*$/;
const regexLiteral = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const plainString = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const comment = /(?:\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*)|\/\*[\s\S]*?\*\//y;

const at = (pattern: RegExp, code: string, offset: number): string | undefined => {
  pattern.lastIndex = offset;
  return pattern.exec(code)?.[0];
};

/** A string is prose if it has two words: single words are names of machines. */
const hasWords = (text: string): boolean => /\p{L}\s+\S|\S\s+\p{L}/u.test(text);

interface Scan {
  readonly code: string;
  readonly found: Prose[];
  readonly isJsx: boolean;
}

/** Reads a template literal from its opening backtick; returns the offset behind it. Expressions are read as code. */
function templateLiteral(scan: Scan, start: number): number {
  const { code, found } = scan;
  let text = ' ';
  let offset = start + 1;
  while (offset < code.length && code[offset] !== '`') {
    if (code.startsWith('${', offset)) {
      const end = statements(scan, offset + 2, true);
      text += `$${blank(code.slice(offset + 1, end - 1))}}`;
      offset = end;
    } else {
      const length = code[offset] === '\\' ? 2 : 1;
      text += code.slice(offset, offset + length);
      offset += length;
    }
  }
  if (hasWords(text)) found.push({ text, start });
  return offset + 1;
}

/** Reads code up to the end or, in an expression of a template, up to its closing brace; returns the offset behind it. */
function statements(scan: Scan, start: number, isExpression: boolean): number {
  const { code, found, isJsx } = scan;
  let depth = 0;
  let offset = start;
  let lastCode = '';
  while (offset < code.length) {
    const character = code[offset] as string;
    if (isExpression && character === '}' && depth === 0) return offset + 1;
    const remark = character === '/' ? at(comment, code, offset) : undefined;
    const quoted = character === "'" || character === '"' ? at(plainString, code, offset) : undefined;
    const regex =
      character === '/' && !remark && beforeRegex.test(lastCode) ? at(regexLiteral, code, offset) : undefined;
    if (remark) {
      found.push({ text: withoutCode(withoutMarks(remark)), start: offset });
      offset += remark.length;
    } else if (character === '`') {
      offset = templateLiteral(scan, offset);
      lastCode = '`';
    } else if (quoted) {
      if (hasWords(quoted)) found.push({ text: ` ${quoted.slice(1, -1)} `, start: offset });
      offset += quoted.length;
      lastCode = "'";
    } else if (regex) {
      offset += regex.length;
      lastCode = '/';
    } else {
      if (character === '{') depth += 1;
      if (character === '}') depth -= 1;
      const text =
        isJsx && character === '>'
          ? at(/>[^<>{}()=;|&]*[\p{L}][^<>{}=;|&]*(?=[<{])/uy, code, offset)
          : undefined;
      if (text) found.push({ text: ` ${text.slice(1)}`, start: offset });
      offset += text?.length ?? 1;
      lastCode = /\s/.test(character) ? lastCode : `${lastCode}${character}`.slice(-8);
    }
  }
  return offset;
}

function ofCode(code: string, isJsx: boolean): readonly Prose[] {
  const scan: Scan = { code, found: [], isJsx };
  statements(scan, 0, false);
  return scan.found;
}

/** Markdown without code blocks, code spans, front matter, HTML comments and addresses of links. */
function ofMarkdown(code: string): readonly Prose[] {
  const text = code
    .replaceAll(/^---\n[\s\S]*?\n---\n/g, blank)
    .replaceAll(/^([ \t]*)(```+|~~~+)[\s\S]*?^\1\2[ \t]*$/gm, blank)
    .replaceAll(/<!--[\s\S]*?-->/g, blank)
    .replaceAll(/\]\([^)\s]*\)/g, (link) => `]${blank(link.slice(1))}`);
  return [{ text: withoutCode(text), start: 0 }];
}

/** Comments and descriptions of YAML, Terraform and shell files. */
function ofHashes(code: string): readonly Prose[] {
  const comments = code.matchAll(/(?:^|(?<=\s))#[^\n]*(?:\n[ \t]*#[^\n]*)*/g);
  const descriptions = code.matchAll(/\b\w*description"?\s*[:=]\s*(?:[>|]-?\n(?:[ \t]+[^\n]*\n)+|[^\n]+)/gi);
  return [...comments, ...descriptions].map((match) => ({
    text: withoutCode(withoutMarks(match[0])),
    start: match.index,
  }));
}

const ofStyles = (code: string): readonly Prose[] =>
  [...code.matchAll(/\/\*[\s\S]*?\*\//g)].map((match) => ({
    text: withoutMarks(match[0]),
    start: match.index,
  }));

const readers: readonly (readonly [RegExp, (code: string) => readonly Prose[]])[] = [
  [/\.(?:ts|mjs|cjs|js|go|java)$/, (code) => ofCode(code, false)],
  [/\.tsx$/, (code) => ofCode(code, true)],
  [/\.md$/, ofMarkdown],
  [/\.(?:ya?ml|tf|sh|py)$|^\.ci\/run$|^examples\/drover-/, ofHashes],
  [/\.css$/, ofStyles],
];

/**
 * The prose of a file: comments and strings of code, text of Markdown, comments and descriptions of YAML and Terraform. Names in code
 * are not prose, nor is text in backticks in comments and Markdown. Files of other kinds have none.
 */
export const proseOf = (file: string, code: string): readonly Prose[] =>
  readers.find(([names]) => names.test(file))?.[1](code) ?? [];
