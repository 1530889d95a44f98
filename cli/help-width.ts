/**
 * Help for a terminal of this width. Commander fits only the parts that it makes itself. Prose is broken at spaces; an explanation beside an
 * example goes below it; a command stays in one line, to be copied. Pure.
 */
export const helpFor = (columns: number, text: string): string =>
  text
    .split('\n')
    .map((line) => (line.length <= columns ? line : narrowed(line, columns)))
    .join('\n');

function narrowed(line: string, columns: number): string {
  const body = line.trimStart();
  const indent = line.slice(0, line.length - body.length);
  if (indent === '') return filled(line, columns, '').join('\n');
  // In a list a gap lies between an example or a code and what it does.
  const gap = body.indexOf('  ');
  if (gap < 0) return line;
  return [`${indent}${body.slice(0, gap)}`, ...filled(body.slice(gap).trim(), columns, `${indent}    `)].join(
    '\n',
  );
}

/** The words of a text in lines of this width. A longer word has a line of its own. */
function filled(text: string, columns: number, indent: string): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? `${indent}${word}` : `${line} ${word}`;
    if (line !== '' && longer.length > columns) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = longer;
  }
  return [...lines, line];
}
