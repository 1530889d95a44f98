import { linesBefore, pathsBelow } from './cases.ts';
import type { DescribedCommand, DescribedFlag, Value } from './describe-commands.ts';

/** In single quotes fish knows two escapes. */
const quoted = (text: string): string => `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;

const list = (words: readonly string[]): string => words.map(quoted).join(' ');

export const fishScript = (commands: readonly DescribedCommand[]): string => `# fish completion for drover
function __drover_where
    set -l where drover
    set -l isValue no
    for word in (commandline -opc)[2..-1]
        if test $isValue = yes
            set isValue no
            continue
        end
        switch "$where $word"
            case ${list(pathsBelow(commands))}
                set where "$where $word"
            case ${list(linesBefore(commands, () => true))}
                set isValue yes
        end
    end
    echo $where
end
complete -c drover -f
${commands.flatMap(commandLines).join('\n')}
`;

function commandLines({ path, commands, flags, argument }: DescribedCommand): readonly string[] {
  const line = `complete -c drover -n ${quoted(`test (__drover_where) = ${quoted(path)}`)}`;
  return [
    ...commands.map(({ name, description }) => `${line} -a ${quoted(name)} -d ${quoted(description)}`),
    ...(argument.kind === 'text' ? [] : [`${line} ${valueWords(argument)}`]),
    ...flags.map((flag) => `${line} ${flagWords(flag)}`),
  ];
}

const flagWords = ({ long, short, description, value }: DescribedFlag): string =>
  [
    `-l ${long}`,
    ...(short ? [`-s ${short}`] : []),
    ...(value ? [value.kind === 'file' ? '-r' : '-x', valueWords(value)] : []),
    `-d ${quoted(description)}`,
  ]
    .filter(Boolean)
    .join(' ');

function valueWords(value: Value): string {
  switch (value.kind) {
    case 'choices':
      return `-a ${quoted(value.choices.join(' '))}`;
    case 'file':
      return '-F';
    case 'folder':
      return "-a '(__fish_complete_directories)'";
    case 'text':
      return '';
  }
}
