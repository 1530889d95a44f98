import { keyOf } from '../plan/observation.ts';
import type { Action } from '../plan/step.ts';
import { distinction } from './resource-name.ts';

/** The action as a resource of Terraform; undefined if it has none of its own. Pure. */
export function terraformBlock(action: Action): string | undefined {
  switch (action.kind) {
    case 'put-hook': {
      const { group, hook } = action;
      return resource('aws_autoscaling_lifecycle_hook', nameOf(group, hook.lifecycleHookName), {
        name: hook.lifecycleHookName,
        autoscaling_group_name: group,
        lifecycle_transition: `autoscaling:EC2_INSTANCE_${hook.transition.toUpperCase()}`,
        heartbeat_timeout: hook.heartbeatTimeoutSeconds,
        default_result: hook.defaultResult,
      });
    }
    case 'create-entry':
      return resource('aws_eks_access_entry', nameOf(action.principalArn.split('/').at(-1) ?? ''), {
        cluster_name: action.clusterName,
        principal_arn: action.principalArn,
        ...(action.groups ? { kubernetes_groups: action.groups } : { type: 'EC2_LINUX' }),
      });
    case 'apply':
      return resource('kubernetes_manifest', keyOf(action.object), { manifest: action.object });
    default:
      return undefined;
  }
}

const nameOf = (name: string, ...more: readonly string[]): string =>
  [name, ...more, distinction(name)].filter(Boolean).join('_');

/** As `terraform fmt` writes it. */
function resource(type: string, name: string, fields: object): string {
  const width = Math.max(...Object.keys(fields).map((key) => key.length));
  return [
    `resource "${type}" "${name.replaceAll(/\W/g, '_').replace(/^\d/, '_$&')}" {`,
    ...Object.entries(fields).map(([key, value]) => `  ${key.padEnd(width)} = ${literal(value)}`),
    '}',
  ].join('\n');
}

/** JSON is an expression of HCL, but for its templates: `${...}` and `%{...}` are escaped by a second sign. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null)
    return JSON.stringify(value).replaceAll(/[$%](?=\{)/g, '$&$&');
  const entries = Object.entries(value).map(([key, one]) => `${literal(key)} : ${literal(one)}`);
  return entries.length === 0 ? '{}' : `{ ${entries.join(', ')} }`;
}
