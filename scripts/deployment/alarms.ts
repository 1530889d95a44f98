/**
 * A plugin of osls for the alarms of every part: each notifies the topic of the parameter `extraAlarmTopic` too, and its description ends with the
 * command that shows the cause, because people read it in an e-mail, without these files.
 */
import { kindOfAlarm, type ProblemKind } from '../../shared/problems/kinds.ts';
import {
  changeResources,
  type Packaging,
  type Resource,
  type Resources,
  type TemplateHooks,
  when,
} from './template-plugin.ts';

interface Names {
  /** What the names of alarms begin with, before a dash. */
  readonly name: string;
  readonly cluster: string;
  /** Empty: none. */
  readonly extraAlarmTopic: string;
}

export default class AlarmsPlugin {
  readonly hooks: TemplateHooks;

  constructor({ service }: Packaging<{ readonly alarms: Names }>) {
    this.hooks = changeResources(service, (resources) =>
      resourcesWithAlarms(resources, service.custom.alarms),
    );
  }
}

/** The commands that show the cause of a problem, without the flags of the deployment. The others: `drover status`. */
const commands: Partial<Readonly<Record<ProblemKind, string>>> = {
  etcd: 'etcd status',
  'certificate-conflict': 'csr list',
  'certificate-waiting': 'csr list',
  'dead-letters': 'redrive --dry-run',
  capacity: 'hold list',
  'not-running': 'doctor',
  failing: 'doctor',
  credential: 'doctor',
  notifications: 'doctor',
  identities: 'doctor',
};

/** The lists of a CloudWatch alarm that name topics. */
const actionLists = ['AlarmActions', 'OKActions', 'InsufficientDataActions'];

/** The resources of a template with both for each alarm. Pure. @throws Error for an alarm of no problem */
export const resourcesWithAlarms = (resources: Resources, names: Names): Resources =>
  Object.fromEntries(
    Object.entries(resources).map(([id, resource]) => [
      id,
      resource.Type === 'AWS::CloudWatch::Alarm' ? alarmWith(resource, names) : resource,
    ]),
  );

function alarmWith({ Properties = {}, ...rest }: Resource, names: Names): Resource {
  const lists = actionLists.flatMap((list) =>
    Properties[list] === undefined
      ? []
      : [
          [
            list,
            [...(Properties[list] as readonly unknown[]), when('HasExtraAlarmTopic', names.extraAlarmTopic)],
          ],
        ],
  );
  return {
    ...rest,
    Properties: {
      ...Properties,
      ...Object.fromEntries(lists),
      AlarmDescription: descriptionOf(Properties, names),
    },
  };
}

function descriptionOf(properties: Readonly<Record<string, unknown>>, { name, cluster }: Names) {
  const alarm = String(properties['AlarmName']).slice(name.length + 1);
  const kind = kindOfAlarm(alarm);
  if (kind === undefined) throw new Error(`shared/problems/kinds.ts has no problem for the alarm ${alarm}`);
  // `drover redrive` moves nothing out of this queue, and doctor prints the command that reads it.
  const words = alarm === 'undelivered' ? 'doctor' : (commands[kind] ?? 'status');
  const command = `drover ${words} --cluster ${cluster} --region \${AWS::Region}`;
  return { 'Fn::Sub': `${String(properties['AlarmDescription'])} Run ${command}` };
}
