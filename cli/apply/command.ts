import type { Command } from 'commander';
import { withAccessFlags } from '../access/flags.ts';
import { endsAtSafePoint, exitCodesHelp, failedOrRefused } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { ApplyFlags } from './apply.ts';

const applyHelp = `
The files declare holds and schedules, in documents of YAML or JSON that name their set. Records get the mark of their set. --prune ends
what the set declared before: records of other sets, and those made by hand, are never pruned. A record made by hand that a file declares is
adopted, which the output says. Everything is checked before the first change, and applying twice changes nothing.

Examples:
  drover apply -f drover.yaml --cluster prod
  drover apply -f holds.yaml -f schedules.yaml --prune --dry-run
  kustomize build overlays/prod | drover apply -f - --api
${exitCodesHelp({
  ...failedOrRefused,
  usage: 'the command line or a file is wrong',
  ...endsAtSafePoint,
})}`;

const diffHelp = `
Changes nothing. + is made, ~ is changed, - goes; ! is refused, or left as it is.

Examples:
  drover diff -f drover.yaml --prune --cluster prod
  drover diff -f drover.yaml --json | jq '.steps[] | select(.action == "replace")'
${exitCodesHelp({
  done: 'nothing differs',
  failed: 'something differs',
  usage: 'the command line or a file is wrong',
  couldNotLook: 'whether something differs is unknown: the message says why',
})}`;

/** `drover apply` and `drover diff`: holds and schedules that are declared in files. */
export const registerApply: RegisterCommand = (program, context) => {
  withFiles(withAccessFlags(program.command('apply')))
    .description('make the holds and schedules of a cluster as files declare')
    .option('--dry-run', 'show what would change, and change nothing')
    .addHelpText('after', applyHelp)
    .action(async (flags: ApplyFlags) => {
      const { apply } = await import('./apply.ts');
      await apply(flags, context);
    });
  withFiles(withAccessFlags(program.command('diff')))
    .description('show what drover apply would change')
    .addHelpText('after', diffHelp)
    .action(async (flags: ApplyFlags) => {
      const { diff } = await import('./apply.ts');
      await diff(flags, context);
    });
};

const withFiles = (command: Command): Command =>
  command
    .requiredOption(
      '-f, --filename <file>',
      'a file of declarations; - for standard input; may be given several times',
      collected,
    )
    .option(
      '--prune',
      'end the holds and delete the schedules that the sets of the files do not declare any more',
    )
    .option('--force-conflicts', 'take over records that belong to another set')
    .option('--json', 'print JSON');

const collected = (value: string, earlier: readonly string[] = []): readonly string[] => [...earlier, value];
