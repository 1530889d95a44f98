import { quoted, shellWord } from '../../../shared/base/shell-words.ts';
import { keyOf } from '../plan/observation.ts';
import type { Action } from '../plan/step.ts';

/** The commands of the AWS CLI and kubectl that do an action. They can be pasted and repeated. Pure. */
export function commandsOf(action: Action): readonly string[] {
  switch (action.kind) {
    case 'set-tags':
      return [
        `aws autoscaling create-or-update-tags --tags ${action.tags
          .map(({ key, value, propagates }) =>
            // JSON, because values may have commas and spaces.
            quoted(
              JSON.stringify({
                ResourceType: 'auto-scaling-group',
                ResourceId: action.group,
                Key: key,
                Value: value,
                PropagateAtLaunch: propagates,
              }),
            ),
          )
          .join(' ')}`,
      ];
    case 'put-hook':
      return [
        `aws autoscaling put-lifecycle-hook --auto-scaling-group-name ${shellWord(action.group)} --lifecycle-hook-name ${shellWord(action.hook.lifecycleHookName)} --lifecycle-transition autoscaling:EC2_INSTANCE_${action.hook.transition.toUpperCase()} --heartbeat-timeout ${action.hook.heartbeatTimeoutSeconds} --default-result ${action.hook.defaultResult}`,
      ];
    case 'apply':
      return [
        `# ${keyOf(action.object)}`,
        `kubectl apply -f - <<'END'\n${JSON.stringify(action.object)}\nEND`,
      ];
    case 'create-entry':
      return [
        `aws eks create-access-entry --cluster-name ${shellWord(action.clusterName)} --principal-arn ${shellWord(action.principalArn)} ${action.groups ? `--kubernetes-groups ${action.groups.map(shellWord).join(' ')}` : '--type EC2_LINUX'}`,
      ];
    case 'map-roles':
      return [
        `kubectl -n kube-system patch configmap aws-auth --type json --patch ${quoted(JSON.stringify(mapRolesPatch(action)))}`,
      ];
    case 'delete-binding':
      return [`kubectl delete clusterrolebinding ${shellWord(action.name)} --ignore-not-found`];
  }
}

/** The API server refuses the patch if another text is there by then (RFC 6902, test). */
export const mapRolesPatch = ({ before, after }: Extract<Action, { kind: 'map-roles' }>) => [
  ...(before === '' ? [] : [{ op: 'test', path: '/data/mapRoles', value: before }]),
  { op: 'add', path: '/data/mapRoles', value: after },
];
