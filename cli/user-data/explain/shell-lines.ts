/** A command of a script, with the values of variables that the script sets to plain text. */
export interface ShellCommand {
  readonly line: number;
  readonly words: readonly string[];
  /** The body of its here-document. */
  readonly input?: string;
}

/**
 * The commands of a shell script, as far as words, quotes, continued lines, here-documents and plain assignments go. What a substitution or
 * a loop would give is left as it is written. Pure.
 */
export function commandsOf(script: string): readonly ShellCommand[] {
  const variables = new Map<string, string>();
  return logicalLines(script).flatMap(({ text, line, input }) =>
    splitCommands(wordsOf(text)).flatMap((raw) => {
      const words = raw.map((word) => valueOf(word, variables));
      const first = words.findIndex((word) => !assignment.test(word));
      const assigned = first < 0 ? words : words.slice(0, first);
      for (const word of assigned) {
        const [, name = '', value = ''] = assignment.exec(word) ?? [];
        variables.set(name, value);
      }
      const command = first < 0 ? [] : words.slice(first);
      return command.length === 0
        ? []
        : [{ line, words: exported(command, variables), ...(input !== undefined && { input }) }];
    }),
  );
}

const assignment = /^([A-Za-z_]\w*)=([\s\S]*)$/;

/** `export NAME=VALUE` sets a variable as `NAME=VALUE` does. */
function exported(words: readonly string[], variables: Map<string, string>): readonly string[] {
  if (words[0] === 'export' || words[0] === 'readonly' || words[0] === 'local')
    for (const word of words.slice(1)) {
      const [, name, value = ''] = assignment.exec(word) ?? [];
      if (name !== undefined) variables.set(name, value);
    }
  return words;
}

interface Line {
  readonly line: number;
  readonly text: string;
  readonly input?: string;
}

/** Lines with their continuations and here-documents, without comments. */
function logicalLines(script: string): readonly Line[] {
  const found: Line[] = [];
  const lines = script.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = index + 1;
    let text = lines[index] ?? '';
    if (/^\s*#/.test(text)) continue;
    while ((/(?:^|[^\\])(?:\\\\)*\\$/.test(text) || isOpen(text)) && index + 1 < lines.length)
      text = `${text.endsWith('\\') ? text.slice(0, -1) : `${text}\n`}${lines[++index] ?? ''}`;
    const [, , end] = /<<-?\s*(["']?)(\w+)\1/.exec(text) ?? [];
    const last = end === undefined ? index : endOfHereDocument(lines, { from: index + 1, end });
    const body = lines.slice(index + 1, last).map((one) => `${one}\n`);
    found.push({ line, text, ...(last > index && { input: body.join('') }) });
    index = last;
  }
  return found;
}

function endOfHereDocument(
  lines: readonly string[],
  { from, end }: { readonly from: number; readonly end: string },
): number {
  const index = lines.findIndex((line, at) => at >= from && line.trim() === end);
  return index < 0 ? lines.length : index;
}

/** Whether a quote is open at the end. */
function isOpen(text: string): boolean {
  let open = '';
  for (let index = 0; index < text.length; index++) {
    const letter = text[index] ?? '';
    if (letter === '\\' && open !== "'") index++;
    else if (open === letter) open = '';
    else if (open === '' && (letter === '"' || letter === "'")) open = letter;
  }
  return open !== '';
}

interface Word {
  readonly text: string;
  /** Single quotes: nothing is replaced in it. */
  readonly isLiteral: boolean;
  readonly isOperator?: true;
}

function wordsOf(text: string): readonly (readonly Word[])[] {
  const words: Word[][] = [];
  let pieces: Word[] = [];
  const end = () => {
    if (pieces.length > 0) words.push(pieces);
    pieces = [];
  };
  const pattern =
    /\s+|'(?<single>[^']*)'|"(?<double>(?:\\[\s\S]|[^"\\])*)"|(?<operator>&&|\|\||[;|&])|\\(?<escaped>[\s\S])|(?<comment>(?<=^|\s)#.*)|(?<plain>[^\s'"\\;|&]+)|(?<rest>["'\\])/g;
  for (const { 0: whole, groups = {} } of text.matchAll(pattern)) {
    if (/^\s+$/.test(whole)) end();
    else if (groups.comment !== undefined) break;
    else if (groups.operator !== undefined) {
      end();
      words.push([{ text: groups.operator, isLiteral: true, isOperator: true }]);
    } else if (groups.single !== undefined) pieces.push({ text: groups.single, isLiteral: true });
    else if (groups.double !== undefined)
      pieces.push({ text: groups.double.replaceAll(/\\(["\\`])/g, '$1'), isLiteral: false });
    else if (groups.escaped !== undefined) pieces.push({ text: groups.escaped, isLiteral: true });
    else pieces.push({ text: groups.plain ?? groups.rest ?? '', isLiteral: false });
  }
  end();
  return words;
}

function splitCommands(words: readonly (readonly Word[])[]): readonly (readonly (readonly Word[])[])[] {
  const commands: (readonly Word[])[][] = [[]];
  for (const word of words)
    if (word[0]?.isOperator) commands.push([]);
    else commands.at(-1)?.push(word);
  return commands.filter((command) => command.length > 0);
}

const valueOf = (pieces: readonly Word[], variables: ReadonlyMap<string, string>): string =>
  pieces
    .map(({ text, isLiteral }) =>
      isLiteral
        ? text
        : text.replaceAll(
            /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
            (whole, braced?: string, plain?: string) => variables.get(braced ?? plain ?? '') ?? whole,
          ),
    )
    .join('');
