import { quoted } from '../../shared/base/shell-words.ts';
import { branch, choiceBranches, linesBefore, pathsBelow } from './cases.ts';
import type { DescribedCommand } from './describe-commands.ts';

/** Works from a file of `fpath` and by `source`. */
export const zshScript = (commands: readonly DescribedCommand[]): string => `#compdef drover
_drover() {
  local where=drover index
  local -a commands flags
  for ((index = 2; index < CURRENT; index++)); do
    case "$where \${words[index]}" in
${branch(pathsBelow(commands), 'where="$where ${words[index]}"')}${branch(
  linesBefore(commands, () => true),
  'index=$((index + 1))',
)}    esac
  done
  case "$where \${words[CURRENT - 1]}" in
${choiceBranches(commands, (choices) => `compadd -- ${choices.map(quoted).join(' ')}; return`)}${branch(
  linesBefore(commands, ({ kind }) => kind === 'file'),
  '_files; return',
)}${branch(
  linesBefore(commands, ({ kind }) => kind === 'folder'),
  '_files -/; return',
)}${branch(
  linesBefore(commands, ({ kind }) => kind === 'text'),
  'return',
)}  esac
  case "$where" in
${commands.map(commandBranch).join('')}  esac
  if [[ \${words[CURRENT]} == -* ]]; then
    _describe -o flag flags
    return
  fi
  (( $#commands )) && _describe command commands
  case "$where" in
${branch(argumentPaths(commands, 'file'), '_files')}${branch(argumentPaths(commands, 'folder'), '_files -/')}  esac
}
if [[ \${funcstack[1]} == _drover ]]; then _drover "$@"; else compdef _drover drover; fi
`;

const argumentPaths = (commands: readonly DescribedCommand[], kind: 'file' | 'folder'): readonly string[] =>
  commands.filter(({ argument }) => argument.kind === kind).map(({ path }) => path);

function commandBranch({ path, commands, flags, argument }: DescribedCommand): string {
  const words = [
    ...commands.map(({ name, description }) => quoted(`${name}:${description}`)),
    ...(argument.kind === 'choices' ? argument.choices.map(quoted) : []),
  ];
  const described = flags.map(({ long, description }) => quoted(`--${long}:${description}`));
  return branch([path], `commands=(${words.join(' ')}) flags=(${described.join(' ')})`);
}
