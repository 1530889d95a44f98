import { keyOf } from '../plan/observation.ts';
import type { Action, Plan } from '../plan/step.ts';
import { shellTask } from './ansible-shell.ts';

/** The play that has the tasks. Tasks of a role are included by other means: then only the tasks are copied. */
export const ansiblePlay = `# ansible-playbook runs this. It needs the collections community.aws and kubernetes.core, and in the PATH the AWS CLI, kubectl and jq.
- name: drover adopt
  hosts: localhost
  connection: local
  gather_facts: false
  tasks:
`;

/** The action as a task of Ansible, as a list item of the play. A second run changes nothing. Pure. */
export const ansibleTask = (action: Action, plan: Plan): string =>
  taskOf(action, plan)
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

function taskOf(action: Action, plan: Plan): string {
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
      // Only a Node that exists, and by a merge, in which null removes the annotation.
      return task(`annotation of Node ${action.name}`, 'kubernetes.core.k8s', {
        state: 'patched',
        merge_type: ['merge'],
        definition: {
          apiVersion: 'v1',
          kind: 'Node',
          metadata: { name: action.name, annotations: { [action.key]: action.value } },
        },
      });
    default: {
      const { name, script, register, environment } = shellTask(action, plan);
      return [
        '# By command: no module changes only this.',
        `- name: ${value(name)}`,
        '  ansible.builtin.shell:',
        // Never a template: commands have braces.
        `    cmd: !unsafe ${JSON.stringify(script)}`,
        ...(environment.length > 0 ? ['  environment:'] : []),
        ...environment.map((variable) => `    ${variable}: "{{ ${variable}.stdout | default('') }}"`),
        `  register: ${register}`,
        `  changed_when: "'changed' in ${register}.stderr_lines"`,
      ].join('\n');
    }
  }
}

const task = (name: string, module: string, fields: object): string =>
  [
    `- name: ${value(name)}`,
    `  ${module}:`,
    ...Object.entries(fields).map(([key, one]) => `    ${key}: ${value(one)}`),
  ].join('\n');

/** In JSON, which YAML contains. `!unsafe` keeps braces in names from Jinja. */
const value = (one: unknown): string => `${hasBraces(one) ? '!unsafe ' : ''}${JSON.stringify(one)}`;

const hasBraces = (one: unknown): boolean =>
  typeof one === 'object' && one !== null
    ? Object.entries(one).flat().some(hasBraces)
    : typeof one === 'string' && /\{[{%#]/.test(one);
