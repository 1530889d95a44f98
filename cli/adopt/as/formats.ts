import type { Action, Plan } from '../plan/step.ts';
import { ansiblePlay, ansibleTask } from './ansible.ts';
import { cloudFormationResource } from './cloudformation.ts';
import { commandsOf } from './commands.ts';
import { terraformBlock } from './terraform.ts';

/** The tools for which a plan can be printed. */
export type FormatName = 'commands' | 'cloudformation' | 'terraform' | 'ansible';

/** How a tool writes plans. In all of them, a line that begins with # is a comment. */
export interface Format {
  /** What comes before the first step. */
  readonly start: (plan: Plan) => string;
  readonly action: (action: Action, plan: Plan) => string;
}

export const formats: Readonly<Record<FormatName, Format>> = {
  commands: { start: () => '', action: (action) => commandsOf(action).join('\n') },
  cloudformation: {
    start: ({ steps }) =>
      steps.some(({ actions }) => actions.some((action) => cloudFormationResource(action) !== undefined))
        ? 'Resources:\n'
        : 'Resources: {}\n',
    action: (action) => cloudFormationResource(action) ?? asComment(action),
  },
  terraform: { start: () => '', action: (action) => terraformBlock(action) ?? asComment(action) },
  ansible: {
    start: ({ steps }) => (steps.length === 0 ? '[]\n' : ansiblePlay),
    action: ansibleTask,
  },
};

/** What the tool has no resource for, or what belongs into a resource that only you know. */
function asComment(action: Action): string {
  const lines = ownerLines(action) ?? ['by command:', ...commandsOf(action)];
  return lines
    .flatMap((line) => line.split('\n'))
    .map((line) => `#   ${line}`)
    .join('\n');
}

/** What to write into the resource of the group or of its launch template. Undefined if the tool has no resource for it. */
function ownerLines(action: Action): readonly string[] | undefined {
  if (action.kind === 'set-tags')
    return [
      `in the resource of the group ${action.group}, add these tags:`,
      ...action.tags.map(
        ({ key, value, propagates }) =>
          `key ${JSON.stringify(key)}, value ${JSON.stringify(value)}, propagate at launch: ${propagates}`,
      ),
    ];
  if (action.kind === 'make-version')
    return [
      `in the resource of the launch template ${action.templateId}, set the user data (in base64) to:`,
      action.userData,
    ];
  if (action.kind === 'move-group')
    return [
      `in the resource of the group ${action.group}, let it use the new version of ${action.templates.map(({ name }) => name).join(', ')}`,
    ];
  return undefined;
}
