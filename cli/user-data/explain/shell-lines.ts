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

/** Lines with their continuations and here-documents, without comments. Each letter is read once, or twice if a quote has no end. */
function logicalLines(script: string): readonly Line[] {
  const found: Line[] = [];
  const lines = script.split(/\r?\n/);
  let canQuotesGoOn = true;
  for (let index = 0; index < lines.length; index++) {
    const line = index + 1;
    const pieces: string[] = [];
    const ends: HereDocument[] = [];
    let last = index;
    let scanned = scanLine(lines[index] ?? '', '');
    while (goesOn(scanned, canQuotesGoOn) && last + 1 < lines.length) {
      pieces.push(scanned.text, scanned.isContinued ? '' : '\n');
      ends.push(...scanned.hereDocuments);
      scanned = scanLine(lines[++last] ?? '', scanned.quote);
    }
    if (scanned.quote !== '' && canQuotesGoOn && last > index) {
      // The script is broken, or that was not a quote: what follows is read by lines.
      canQuotesGoOn = false;
      index--;
      continue;
    }
    const input: string[] = [];
    for (const end of [...ends, ...scanned.hereDocuments]) {
      const from = last + 1;
      last = endOfHereDocument(lines, from, end);
      input.push(
        ...lines.slice(from, last).map((one) => `${end.isIndented ? one.replace(/^\t+/, '') : one}\n`),
      );
    }
    found.push({
      line,
      text: [...pieces, scanned.text].join(''),
      ...(input.length > 0 && { input: input.join('') }),
    });
    index = last;
  }
  return found;
}

const goesOn = ({ isContinued, quote }: ScannedLine, canQuotesGoOn: boolean): boolean =>
  isContinued || (quote !== '' && canQuotesGoOn);

interface HereDocument {
  readonly end: string;
  /** `<<-`: tabs before the end, and before each line, do not count. */
  readonly isIndented: boolean;
}

/** The index of its last line, or of the end of the script. */
function endOfHereDocument(
  lines: readonly string[],
  from: number,
  { end, isIndented }: HereDocument,
): number {
  for (let index = from; index < lines.length; index++) {
    const line = lines[index] ?? '';
    if ((isIndented ? line.replace(/^\t+/, '') : line) === end) return index;
  }
  return lines.length;
}

interface ScannedLine {
  /** Without a comment and the backslash at the end. */
  readonly text: string;
  /** The quote that is open at the end. */
  readonly quote: string;
  readonly isContinued: boolean;
  readonly hereDocuments: readonly HereDocument[];
}

const hereDocument = /<<(-?)[ \t]*(?:'([^']+)'|"([^"]+)"|\\?([A-Za-z_][\w.-]*))/y;

function scanLine(line: string, quoteBefore: string): ScannedLine {
  const hereDocuments: HereDocument[] = [];
  let quote = quoteBefore;
  for (let index = 0; index < line.length; index++) {
    const letter = line[index] ?? '';
    if (letter === '\\' && quote !== "'") {
      if (index === line.length - 1)
        return { text: line.slice(0, -1), quote, isContinued: true, hereDocuments };
      index++;
    } else if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '#' && /^$|[\s;|&(]/.test(line[index - 1] ?? ''))
      return { text: line.slice(0, index), quote, isContinued: false, hereDocuments };
    else if (letter === '<' && line[index - 1] !== '<') {
      hereDocument.lastIndex = index;
      const [whole = '', dash, single, double, plain] = hereDocument.exec(line) ?? [];
      if (whole === '' || line.slice(0, index).includes('((')) continue;
      hereDocuments.push({ end: single ?? double ?? plain ?? '', isIndented: dash === '-' });
      index += whole.length - 1;
    }
  }
  return { text: line, quote, isContinued: false, hereDocuments };
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
  // Parentheses are those of subshells, functions, lists and cases.
  const pattern =
    /\s+|'(?<single>[^']*)'|"(?<double>(?:\\[\s\S]|[^"\\])*)"|(?<operator>&&|\|\||[;|&()])|\\(?<escaped>[\s\S])|(?<substitution>\$\((?:[^()]|\([^()]{0,200}\)){0,500}\))|(?<plain>(?:[^\s'"\\;|&()$]|\$(?!\())+)|(?<rest>["'\\$])/g;
  for (const { 0: whole, groups = {} } of text.matchAll(pattern)) {
    if (/^\s+$/.test(whole)) end();
    else if (groups.operator !== undefined) {
      end();
      words.push([{ text: groups.operator, isLiteral: true, isOperator: true }]);
    } else if (groups.single !== undefined) pieces.push({ text: groups.single, isLiteral: true });
    else if (groups.double !== undefined)
      pieces.push({ text: groups.double.replaceAll(/\\(["\\`])/g, '$1'), isLiteral: false });
    else if (groups.escaped !== undefined) pieces.push({ text: groups.escaped, isLiteral: true });
    else pieces.push({ text: groups.substitution ?? groups.plain ?? groups.rest ?? '', isLiteral: false });
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

/** Variables that name each other would make a text of any length. */
const longestValue = 4096;

function valueOf(pieces: readonly Word[], variables: ReadonlyMap<string, string>): string {
  let added = 0;
  return pieces
    .map(({ text, isLiteral }) =>
      isLiteral
        ? text
        : text.replaceAll(
            /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
            (whole, braced?: string, plain?: string) => {
              const value = variables.get(braced ?? plain ?? '');
              if (value === undefined || added + value.length > longestValue) return whole;
              added += value.length;
              return value;
            },
          ),
    )
    .join('');
}
