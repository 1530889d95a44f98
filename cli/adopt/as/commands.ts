import { quoted, shellWord } from '../../../shared/base/shell-words.ts';
import { type KubernetesObject, keyOf } from '../plan/observation.ts';
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
        action.before === undefined
          ? // Not `apply`: it would replace a mapping that someone makes meanwhile.
            `kubectl create -f - <<'END'\n${JSON.stringify(awsAuthWith(action.after))}\nEND`
          : `kubectl -n kube-system patch configmap aws-auth --type json --patch ${quoted(JSON.stringify(mapRolesPatch(action.before, action.after)))}`,
      ];
    case 'make-version':
      return [
        `${variableOf(action.templateId, action.source)}=$(aws ec2 create-launch-template-version --launch-template-id ${shellWord(action.templateId)} --source-version ${action.source} --version-description ${quoted(action.description)} --client-token ${action.clientToken} --launch-template-data ${quoted(JSON.stringify({ UserData: action.userData }))} --query LaunchTemplateVersion.VersionNumber --output text)`,
      ];
    case 'move-group':
      return moveCommands(action);
    case 'annotate-node':
      return [
        `kubectl annotate node ${shellWord(action.name)} ${action.value === null ? `${action.key}-` : `${action.key}=${shellWord(action.value)} --overwrite`}`,
      ];
    case 'delete-binding':
      return [`kubectl delete clusterrolebinding ${shellWord(action.name)} --ignore-not-found`];
  }
}

/** The shell variable with the number of the version that is made of this one. */
export const variableOf = (templateId: string, source: number): string =>
  `VERSION_${templateId.replaceAll(/\W/g, '_')}_${source}`;

function moveCommands({ group, templates }: MoveGroup): readonly string[] {
  return [
    `${launchOf(group, versionsOf(templates))} > launch.json`,
    `aws autoscaling update-auto-scaling-group --auto-scaling-group-name ${shellWord(group)} --cli-input-json file://launch.json`,
  ];
}

type MoveGroup = Extract<Action, { kind: 'move-group' }>;

/** `TEMPLATE:PRESENT=NEW`, for double quotes: variables have the numbers of versions that are made before. */
const versionsOf = (templates: MoveGroup['templates']): string =>
  templates
    .flatMap(({ templateId, name: template, version, from, to }) => {
      const next = to === undefined ? `$${variableOf(templateId, from)}` : String(to);
      // In double quotes a shell would read $Default as a variable.
      const present = version.replace('$', '\\$');
      return [templateId, template].map((one) => `${one}:${present}=${next}`);
    })
    .join(' ');

/**
 * Prints what the group launches from, with these versions, as input for an update. jq changes only the versions: a mixed instances policy is
 * sent back whole, or Auto Scaling would drop its overrides.
 */
export const launchOf = (group: string, versions: string): string =>
  `aws autoscaling describe-auto-scaling-groups --auto-scaling-group-names ${shellWord(group)} --output json | jq --arg versions "${versions}" '${moveFilter}'`;

/** AWS describes a template by its id and name, and takes one of them. Only the versions of the plan are moved. */
const moveFilter = `($versions | split(" ") | map(split("=") | {(.[0]): .[1]}) | add) as $to
  | def moved: (if .LaunchTemplateId then del(.LaunchTemplateName) else . end) | $to[(.LaunchTemplateId // .LaunchTemplateName) + ":" + (.Version // "$Default")] as $new | if $new then .Version = $new else . end;
  .AutoScalingGroups[0] | {AutoScalingGroupName} + if .MixedInstancesPolicy then {MixedInstancesPolicy: (.MixedInstancesPolicy | .LaunchTemplate.LaunchTemplateSpecification |= moved | if .LaunchTemplate.Overrides then .LaunchTemplate.Overrides |= map(if .LaunchTemplateSpecification then .LaunchTemplateSpecification |= moved else . end) else . end)} else {LaunchTemplate: (.LaunchTemplate | moved)} end`;

/** The API server refuses the patch if the ConfigMap has other data by then (RFC 6902, test). */
export const mapRolesPatch = (before: Readonly<Record<string, string>>, after: string) => [
  { op: 'test', path: '/data', value: before },
  { op: 'add', path: '/data/mapRoles', value: after },
];

/** The ConfigMap for a cluster that has none. */
export const awsAuthWith = (mapRoles: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'aws-auth', namespace: 'kube-system' },
  data: { mapRoles },
});
