import { InvalidArgumentError, Option } from 'commander';
import {
  longestHeartbeatTimeoutSeconds,
  shortestHeartbeatTimeoutSeconds,
} from '../../shared/groups/hook-timing.ts';
import { withAutoScalingFlags } from '../auto-scaling/flags.ts';
import { withClusterFlags } from '../cluster-flags.ts';
import { durationSeconds } from '../durations.ts';
import { endsAtSafePoint, exitCodesHelp } from '../exit-codes.ts';
import type { RegisterCommand } from '../register.ts';
import type { FormatName } from './as/formats.ts';
import type { AdoptFlags } from './flags.ts';

const help = `
Plans all that the groups and the cluster need: rights and log-ins of Drover, tags, lifecycle hooks, and who approves certificates. Reads with
this machine's AWS credentials and kubeconfig, as an administrator of both. The plan is a shell script whose comments explain each step.
docs/adopt.md is the guide.

Examples:
  drover adopt workers --cluster prod --plan
  drover adopt workers --cluster prod --yes                 do it; run it again if it was interrupted
  drover adopt workers --cluster prod --plan > plan.sh      read it, then run it: sh -e plan.sh
  drover adopt workers --as terraform                       the same for Terraform, CloudFormation or Ansible
  drover adopt workers --check                              exit code 1 if a tag, a hook or a right was changed since
${exitCodesHelp({
  failed: 'failed, refused, or --check found a difference: the message says why',
  ...endsAtSafePoint,
})}`;

/** `drover adopt GROUP...`: what groups need to be managed. */
export const registerAdopt: RegisterCommand = (program, context) => {
  withClusterFlags(withAutoScalingFlags(program.command('adopt')))
    .description('give existing groups what they need to be managed by Drover; show it first')
    .argument('<group...>', 'the Auto Scaling groups')
    .option('--plan', 'only print the plan')
    .addOption(
      new Option('--as <tool>', 'print the plan for this tool')
        .choices(['commands', 'cloudformation', 'terraform', 'ansible'] satisfies readonly FormatName[])
        .default('commands'),
    )
    .addOption(
      new Option('--check', 'exit with 1 if something differs from the plan of these flags').conflicts(
        'plan',
      ),
    )
    .addOption(
      new Option('--yes', 'do it; without this, only print the plan').conflicts(['plan', 'check', 'as']),
    )
    .addOption(
      new Option(
        '--role <role>',
        'the role of the groups (default: the one they have, or the one that their nodes show)',
      ).choices(['worker', 'control-plane', 'etcd']),
    )
    .option(
      '--tag <key=value>',
      'another tag under drover.dev/, such as drain-timeout=30m; may be given several times',
      tagArgument,
      new Map<string, string>(),
    )
    .addOption(
      new Option('--heartbeat <duration>', 'the heartbeat timeout of new hooks, from 30s to 2h')
        .argParser(heartbeatSeconds)
        .default(3600, '1h'),
    )
    .option('--no-joining', 'no hook on launching instances')
    .option('--with-identity', 'the token webhook reads the ConfigMap aws-auth (identityConfigMap)')
    .option('--exempt <node...>', 'nodes outside managed groups whose certificates you approve by hand')
    .option(
      '--user-data <file>',
      'a script or cloud-config that the user data of the groups should have too, as drover user-data prints it',
    )
    .option('--stage <stage>', 'the stage of the stack (default: the only one in the account and region)')
    .option('--json', 'print JSON')
    .addHelpText('after', help)
    .action(async (groups: readonly string[], flags: AdoptFlags) => {
      const { adopt } = await import('./adopt.ts');
      await adopt(groups, flags, context);
    });
};

/** @throws InvalidArgumentError */
function tagArgument(text: string, earlier: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const [, name = '', value] = /^(?:drover\.dev\/)?([^=/]+)=(.*)$/.exec(text) ?? [];
  if (value === undefined) throw new InvalidArgumentError('write NAME=VALUE, such as drain-timeout=30m');
  if (name === 'role') throw new InvalidArgumentError('give --role');
  return new Map([...earlier, [`drover.dev/${name}`, value]]);
}

/** @throws InvalidArgumentError beyond what PutLifecycleHook takes (EC2 Auto Scaling API reference). */
function heartbeatSeconds(text: string): number {
  const seconds = durationSeconds(text);
  const isAllowed = seconds >= shortestHeartbeatTimeoutSeconds && seconds <= longestHeartbeatTimeoutSeconds;
  if (Number.isInteger(seconds) && isAllowed) return seconds;
  throw new InvalidArgumentError('Auto Scaling takes whole seconds, from 30s to 2h');
}
