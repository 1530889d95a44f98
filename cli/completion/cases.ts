import { quoted } from '../../shared/base/shell-words.ts';
import type { DescribedCommand, DescribedFlag, Value } from './describe-commands.ts';

/** A command line with a flag under each of its names. */
const linesOf = (path: string, { long, short }: DescribedFlag): readonly string[] => [
  `${path} --${long}`,
  ...(short ? [`${path} -${short}`] : []),
];

/** Every command line, up to a flag, that a value of this kind comes after: `drover status --kubeconfig`. */
export const linesBefore = (
  commands: readonly DescribedCommand[],
  isWanted: (value: Value) => boolean,
): readonly string[] =>
  commands.flatMap(({ path, flags }) =>
    flags.flatMap((flag) => (flag.value && isWanted(flag.value) ? linesOf(path, flag) : [])),
  );

/** Every path of two words or more: the command lines that a further word leads to. */
export const pathsBelow = (commands: readonly DescribedCommand[]): readonly string[] =>
  commands.map(({ path }) => path).filter((path) => path.includes(' '));

/** A branch of `case` in bash and zsh; nothing if there are no patterns. */
export const branch = (patterns: readonly string[], body: string): string =>
  patterns.length > 0 ? `    ${patterns.map(quoted).join(' | ')}) ${body} ;;\n` : '';

/** A branch for each flag with choices. */
export const choiceBranches = (
  commands: readonly DescribedCommand[],
  body: (choices: readonly string[]) => string,
): string =>
  commands
    .flatMap(({ path, flags }) =>
      flags.map((flag) =>
        flag.value?.kind === 'choices' ? branch(linesOf(path, flag), body(flag.value.choices)) : '',
      ),
    )
    .join('');
