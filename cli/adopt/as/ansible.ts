import { keyOf } from '../plan/observation.ts';
import type { Action, Plan } from '../plan/step.ts';
import { commandsOf } from './commands.ts';

/** The action as a task of Ansible. Pure. */
export function ansibleTask(action: Action, plan: Plan): string {
  switch (action.kind) {
    case 'put-hook': {
      const { group, hook } = action;
      return task(`hook ${hook.lifecycleHookName} of ${group}`, 'community.aws.autoscaling_lifecycle_hook', {
        autoscaling_group_name: group,
        lifecycle_hook_name: hook.lifecycleHookName,
        transition: `autoscaling:EC2_INSTANCE_${hook.transition.toUpperCase()}`,
        heartbeat_timeout: hook.heartbeatTimeoutSeconds,
        default_result: hook.defaultResult,
      });
    }
    case 'apply':
      return task(keyOf(action.object), 'kubernetes.core.k8s', {
        state: 'present',
        definition: action.object,
      });
    case 'delete-binding':
      return task(`no ClusterRoleBinding ${action.name}`, 'kubernetes.core.k8s', {
        state: 'absent',
        api_version: 'rbac.authorization.k8s.io/v1',
        kind: 'ClusterRoleBinding',
        name: action.name,
      });
    case 'annotate-node':
      return shell(`annotation of Node ${action.name}`, commandsOf(action));
    case 'move-group':
      return shell(`launches of ${action.group}`, [...versionsFor(action, plan), ...commandsOf(action)]);
    case 'set-tags':
      return shell(`tags of ${action.group}`, commandsOf(action));
    case 'create-entry':
      return shell(`access entry of ${action.principalArn}`, commandsOf(action));
    case 'map-roles':
      return shell('roles in aws-auth', commandsOf(action));
    case 'make-version':
      return shell(`a version of ${action.templateId}`, commandsOf(action));
  }
}

/** Tasks share no variables of a shell: the version is made again, which by its client token makes no second one. */
const versionsFor = (
  { templates }: Extract<Action, { kind: 'move-group' }>,
  { steps }: Plan,
): readonly string[] =>
  steps
    .flatMap(({ actions }) => actions)
    .filter(
      (action) =>
        action.kind === 'make-version' &&
        templates.some(({ templateId, from }) => templateId === action.templateId && from === action.source),
    )
    .flatMap(commandsOf);

/** Values are in JSON, which YAML contains. */
const task = (name: string, module: string, fields: object): string =>
  [
    `- name: ${JSON.stringify(name)}`,
    `  ${module}:`,
    ...Object.entries(fields).map(([key, value]) => `    ${key}: ${JSON.stringify(value)}`),
  ].join('\n');

/** `!unsafe` keeps the braces of commands from Jinja. */
const shell = (name: string, commands: readonly string[]): string =>
  [
    `- name: ${JSON.stringify(name)}`,
    '  ansible.builtin.shell:',
    `    cmd: !unsafe ${JSON.stringify(commands.join('\n'))}`,
    '  changed_when: true',
  ].join('\n');
