import { quoted, shellWord } from '../../../shared/base/shell-words.ts';
import type { Action, Plan, TagToSet } from '../plan/step.ts';
import { commandsOf, launchOf, variableOf } from './commands.ts';

/** What Ansible has no module for, or only one that would also write what it has read before, such as the size of the group. */
export type ShellAction = Exclude<
  Action,
  { kind: 'put-hook' | 'apply' | 'annotate-node' | 'delete-binding' }
>;

/** A task that runs commands. */
export interface ShellTask {
  readonly name: string;
  /** Writes the line `changed` to stderr if it has changed something. */
  readonly script: string;
  /** Where the output of the task is kept. */
  readonly register: string;
  /** Variables of the script that have the output of an earlier task, registered under the same name. */
  readonly environment: readonly string[];
}

/** The action as a task that changes nothing if it is done already. Pure. */
export function shellTask(action: ShellAction, plan: Plan): ShellTask {
  const plain = { register: 'drover_adopt', environment: [] };
  switch (action.kind) {
    case 'set-tags':
      return {
        ...plain,
        name: `tags of ${action.group}`,
        script: unless(hasTags(action.group, action.tags), commandsOf(action)),
      };
    case 'create-entry':
      return {
        ...plain,
        name: `access entry of ${action.principalArn}`,
        script: unless(
          `aws eks describe-access-entry --cluster-name ${shellWord(action.clusterName)} --principal-arn ${shellWord(action.principalArn)} >/dev/null 2>&1`,
          commandsOf(action),
        ),
      };
    case 'map-roles':
      return {
        ...plain,
        name: 'roles in aws-auth',
        script: unless(
          // Both without the line ends, which the shell takes from output.
          `[ "$(kubectl -n kube-system get configmap aws-auth --ignore-not-found --output jsonpath='{.data.mapRoles}')" = "$(printf %s ${quoted(action.after)})" ]`,
          commandsOf(action),
        ),
      };
    case 'make-version': {
      const register = variableOf(action.templateId, action.source);
      return {
        name: `a version of ${action.templateId}`,
        script: [
          'set -eu',
          `${register}=$(${madeEarlier(action)})`,
          unlessOnly(`[ -n "$${register}" ]`, commandsOf(action)),
          `echo "$${register}"`,
        ].join('\n'),
        register,
        environment: [],
      };
    }
    case 'move-group':
      return {
        ...plain,
        name: `launches of ${action.group}`,
        script: [
          'set -eu',
          'scratch=$(mktemp -d)',
          `trap 'rm -r "$scratch"' EXIT`,
          'cd "$scratch"',
          `${launchOf(action.group, '')} > present.json`,
          ...commandsOf(action).slice(0, 1),
          unlessOnly('cmp -s present.json launch.json', commandsOf(action).slice(1)),
        ].join('\n'),
        environment: madeBefore(action, plan),
      };
  }
}

const unless = (check: string, commands: readonly string[]): string =>
  ['set -eu', unlessOnly(check, commands)].join('\n');

const unlessOnly = (check: string, commands: readonly string[]): string =>
  [`if ! ${check}; then`, ...commands, 'echo changed >&2', 'fi'].join('\n');

function hasTags(group: string, tags: readonly TagToSet[]): string {
  const wanted = tags.map(({ key, value, propagates }) => ({
    Key: key,
    Value: value,
    PropagateAtLaunch: propagates,
  }));
  return `aws autoscaling describe-tags --filters ${quoted(JSON.stringify([{ Name: 'auto-scaling-group', Values: [group] }]))} --output json | jq --exit-status --argjson wanted ${quoted(JSON.stringify(wanted))} '.Tags as $have | $wanted | all(. as $one | $have | any({Key, Value, PropagateAtLaunch} == $one))' >/dev/null`;
}

/** Prints the number of the latest version if an earlier run has made it of the same source, with the same user data. */
const madeEarlier = ({
  templateId,
  description,
  userData,
}: Extract<Action, { kind: 'make-version' }>): string =>
  `aws ec2 describe-launch-template-versions --launch-template-id ${shellWord(templateId)} --versions '$Latest' --output json | jq --raw-output --arg description ${quoted(description)} --arg data ${quoted(userData)} '.LaunchTemplateVersions[] | select(.VersionDescription == $description and .LaunchTemplateData.UserData == $data) | .VersionNumber'`;

/** The versions of the move that tasks of the plan make. */
const madeBefore = (
  { templates }: Extract<Action, { kind: 'move-group' }>,
  { steps }: Plan,
): readonly string[] => [
  ...new Set(
    steps
      .flatMap(({ actions }) => actions)
      .flatMap((action) =>
        action.kind === 'make-version' &&
        templates.some(
          ({ templateId, from, to }) =>
            to === undefined && templateId === action.templateId && from === action.source,
        )
          ? [variableOf(action.templateId, action.source)]
          : [],
      ),
  ),
];
