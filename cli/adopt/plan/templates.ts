import { createHash } from 'node:crypto';
import { compose } from '../user-data/compose.ts';
import type { ObservedGroup, ObservedTemplate, Wishes } from './observation.ts';
import type { Plan, Step } from './step.ts';

/** The description of a version that this program makes: a later plan knows it by its source. */
const descriptionOf = (source: number): string => `drover adopt: of version ${source}`;

/**
 * A version of each launch template of the group with the wanted part of the user data, and the group's move to it in a step of its own. With
 * `$Latest` the group moves when the version is made. Pure.
 */
export function planTemplates(group: ObservedGroup, { userData }: Pick<Wishes, 'userData'>): Partial<Plan> {
  const { autoScalingGroupName: subject, launch } = group;
  if (userData === undefined) return {};
  if (launch.kind !== 'templates')
    return {
      refusals: [
        {
          subject,
          reason: `it launches from ${launch.kind === 'configuration' ? `the launch configuration ${launch.name}` : 'no launch template'}, of which no version can be made`,
          remedy:
            'move the group to a launch template first: EC2 Auto Scaling user guide, "Migrate to launch templates"',
        },
      ],
    };
  const composed = launch.templates.map((template) => ({
    template,
    result: compose(template.userData, userData),
  }));
  const refusals = composed.flatMap(({ template, result }) =>
    result.kind === 'refused'
      ? [
          {
            subject: `user data of ${subject} (${template.name}, version ${template.number})`,
            reason: result.reason,
            remedy: null,
          },
        ]
      : [],
  );
  if (refusals.length > 0) return { refusals };
  const changed = composed.flatMap(({ template, result }) =>
    result.kind === 'new' ? [{ template, text: Buffer.from(result.bytes).toString('base64') }] : [],
  );
  const moved = changed.filter(({ template }) => template.version !== '$Latest');
  return {
    steps: [
      ...oncePerVersion(changed)
        .filter(({ template, text }) => madeEarlier(template, text) === undefined)
        .map(({ template, text }) => versionStep(subject, template, text)),
      ...(moved.length > 0 ? [moveStep(subject, moved)] : []),
    ],
    notices: moved
      .filter(({ template }) => template.version === '$Default')
      .map(
        ({ template }) =>
          `${subject}: it followed the default version of ${template.name}. The move names the new version instead, because the default version is that of other users of the template too; set it once you have seen a launch, and give the group $Default again`,
      ),
  };
}

interface ChangedTemplate {
  readonly template: ObservedTemplate;
  /** The new user data in base64. */
  readonly text: string;
}

/** `$Default` and a number may be one version, of which one new version is made. With `$Latest` that moves the group. */
function oncePerVersion(changed: readonly ChangedTemplate[]): readonly ChangedTemplate[] {
  const bySource = Map.groupBy(changed, ({ template: { id, number } }) => `${id} ${number}`);
  return [...bySource.values()].flatMap(
    (same) => same.find(({ template }) => template.version === '$Latest') ?? same.slice(0, 1),
  );
}

/** The number of a version with this text that an earlier run has made; undefined if it has to be made. */
const madeEarlier = ({ latest, number }: ObservedTemplate, text: string): number | undefined =>
  latest.number !== number &&
  latest.description === descriptionOf(number) &&
  Buffer.from(latest.userData).toString('base64') === text
    ? latest.number
    : undefined;

function versionStep(group: string, template: ObservedTemplate, userData: string): Step {
  const { id: templateId, name, number: source, version, otherGroups } = template;
  const isMove = version === '$Latest';
  return {
    id: `version/${group}/${templateId}/${source}`,
    group,
    subject: `user data of ${group} in launch template ${name}`,
    is: `version ${source}, without the part`,
    shall: `a version made from version ${source}: its user data with the part at its end, all else as it is${isMove ? '. The group has $Latest, so its next launch uses it' : ''}`,
    actions: [
      {
        kind: 'make-version',
        templateId,
        source,
        userData,
        description: descriptionOf(source),
        // The same for the same change of the same version: a repeated run makes no second one.
        clientToken: createHash('sha256')
          .update(JSON.stringify([templateId, source, userData]))
          .digest('hex')
          .slice(0, 48),
      },
    ],
    risk: isMove
      ? `the next launch uses it${otherGroups.length > 0 ? `, also in ${otherGroups.join(', ')}` : ''}. To try it first, give the group version ${source} before this step`
      : 'none: no group launches with it yet',
    reversal: `aws ec2 delete-launch-template-versions --launch-template-id ${templateId} --versions NUMBER, once no group uses it`,
  };
}

function moveStep(group: string, moved: readonly ChangedTemplate[]): Step {
  const templates = moved.map(({ template, text }) => ({
    templateId: template.id,
    name: template.name,
    version: template.version,
    from: template.number,
    /** Undefined if the step before makes it. */
    to: madeEarlier(template, text),
  }));
  return {
    id: `launch/${group}`,
    group,
    subject: `launches of ${group}`,
    is: moved.map(({ template }) => `${template.name} version ${template.version}`).join(', '),
    shall: `the new version of ${moved.map(({ template }) => template.name).join(', ')}; instance types, purchase options and overrides as they are`,
    actions: [{ kind: 'move-group', group, templates }],
    risk: 'the next launch uses it; instances that run keep theirs. Launch one and see it join before you replace others',
    reversal: `give the group ${moved.map(({ template }) => `version ${template.version} of ${template.name}`).join(', ')} again`,
  };
}
