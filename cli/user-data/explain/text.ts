import { painted, type Text } from '../../output.ts';
import type { TableView } from '../../table/column.ts';
import { tableText } from '../../table/table.ts';
import type { ExplainedPart, Explanation } from './explain.ts';

const readBy: Readonly<Record<string, string>> = {
  'text/x-shellscript': 'a shell script, which cloud-init runs at the first boot',
  'text/cloud-boothook': 'a boothook of cloud-init',
  'text/cloud-config': 'a cloud-config of cloud-init',
  'text/jinja2': 'a template of cloud-init',
  'application/node.eks.aws': 'a NodeConfig, which nodeadm reads on Amazon Linux 2023',
  ignition: 'an Ignition configuration',
  bottlerocket: 'settings of Bottlerocket',
  'text/x-include-url': 'addresses that cloud-init fetches at the first boot',
  'text/x-include-once-url': 'addresses that cloud-init fetches at the first boot',
};

/** What `user-data explain` prints for people. */
export function explanationText(explanation: Explanation, view: TableView): Text {
  const { sizeBytes, wrappings, parts, credentials, faults, drover } = explanation;
  const around = wrappings.length === 0 ? '' : `, in ${wrappings.join(', ')}`;
  const head =
    parts.length === 0
      ? `The user data is empty: only the image decides what the machine does.\n`
      : `${sizeBytes} bytes${around}: ${counted(parts.length)}.\n`;
  return [
    head,
    ...parts.map((part, index) => partText(part, { index, isOnly: parts.length === 1, view })),
    ...section('Does not work as it is written', faults, 'red'),
    ...section('Credentials in it, which are not shown here', credentials, 'yellow'),
    ...section('Drover', drover),
  ];
}

const counted = (count: number): string => (count === 1 ? 'one part' : `${count} parts`);

function partText(
  { type, fileName, facts }: ExplainedPart,
  { index, isOnly, view }: { readonly index: number; readonly isOnly: boolean; readonly view: TableView },
): Text {
  const name = fileName === undefined ? '' : ` (${fileName})`;
  const title = `${isOnly ? '' : `Part ${index + 1}${name}: `}${readBy[type] ?? type}`;
  const table =
    facts.length === 0
      ? 'nothing that is explained here\n'
      : tableText(
          ['WHAT', 'VALUE', 'WHAT IT DOES'],
          facts.map(({ what, value, meaning }) => [what, value, meaning]),
          view,
        );
  return ['\n', painted('bold', title), '\n', table];
}

const section = (
  title: string,
  lines: readonly string[],
  style: 'bold' | 'red' | 'yellow' = 'bold',
): readonly Text[] =>
  lines.length === 0 ? [] : ['\n', painted(style, title), '\n', ...lines.map((line) => `- ${line}\n`)];
