import type { Action } from '../plan/step.ts';
import { distinction } from './resource-name.ts';

/** The action as a resource of CloudFormation; undefined if it has none of its own. Pure. */
export function cloudFormationResource(action: Action): string | undefined {
  switch (action.kind) {
    case 'put-hook': {
      const { group, hook } = action;
      return resource(
        `${group} ${hook.lifecycleHookName} ${distinction(group)}`,
        'AWS::AutoScaling::LifecycleHook',
        {
          AutoScalingGroupName: group,
          LifecycleHookName: hook.lifecycleHookName,
          LifecycleTransition: `autoscaling:EC2_INSTANCE_${hook.transition.toUpperCase()}`,
          HeartbeatTimeout: hook.heartbeatTimeoutSeconds,
          DefaultResult: hook.defaultResult,
        },
      );
    }
    case 'create-entry': {
      const role = action.principalArn.split('/').at(-1) ?? '';
      return resource(`entry ${role} ${distinction(role)}`, 'AWS::EKS::AccessEntry', {
        ClusterName: action.clusterName,
        PrincipalArn: action.principalArn,
        ...(action.groups ? { KubernetesGroups: action.groups } : { Type: 'EC2_LINUX' }),
      });
    }
    default:
      return undefined;
  }
}

/** A logical id has letters and digits. The properties are in JSON, which YAML contains. */
const resource = (name: string, type: string, properties: object): string =>
  [
    `  ${name.replaceAll(/[^A-Za-z0-9]+(.?)/g, (_, next: string) => next.toUpperCase()).replace(/^./, (first) => first.toUpperCase())}:`,
    `    Type: ${type}`,
    '    Properties:',
    ...Object.entries(properties).map(([key, value]) => `      ${key}: ${JSON.stringify(value)}`),
  ].join('\n');
