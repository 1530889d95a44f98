import * as z from 'zod/mini';
import { lazily } from '../../../../shared/base/lazily.ts';
import { definitionOf, flagOf, type SettingName, settingNames } from './definitions.ts';
import type { Given, GivenSettings } from './settings.ts';

const containerSchema = z.object({
  name: z.optional(z.string()),
  image: z.optional(z.string()),
  command: z.nullish(z.array(z.string())),
  args: z.nullish(z.array(z.string())),
  env: z.nullish(
    z.array(
      z.object({
        name: z.string(),
        value: z.nullish(z.string()),
        valueFrom: z.nullish(z.record(z.string(), z.unknown())),
      }),
    ),
  ),
  envFrom: z.nullish(z.array(z.record(z.string(), z.unknown()))),
});

/** What of a Deployment or a DaemonSet is read. */
export const workloadSchema = lazily(() =>
  z.object({
    metadata: z.object({
      name: z.string(),
      namespace: z.optional(z.string()),
      labels: z.nullish(z.record(z.string(), z.string())),
    }),
    spec: z.object({
      replicas: z.nullish(z.number()),
      template: z.object({ spec: z.object({ containers: z.array(containerSchema) }) }),
    }),
  }),
);

export type Workload = z.infer<ReturnType<typeof workloadSchema>>;
export type Container = z.infer<typeof containerSchema>;

const imageOfNth = /(?:^|\/)aws-node-termination-handler(?:[:@]|$)/;

/** The container of AWS Node Termination Handler in a workload; undefined if it has none. Pure. */
export function containerOf({ spec }: Pick<Workload, 'spec'>): Container | undefined {
  const { containers } = spec.template.spec;
  return (
    containers.find(({ image = '' }) => imageOfNth.test(image)) ??
    // An image that was copied to another name.
    containers.find(({ name }) => name === 'aws-node-termination-handler')
  );
}

/** What a container sets: its flags count before its variables, and of two variables with one name the last. Pure. */
export function settingsOfContainer({ command, args, env, envFrom }: Container): GivenSettings {
  const sources = envFrom ?? [];
  const variables = new Map(
    (env ?? []).map(({ name, value, valueFrom }): [string, Given] => [
      name,
      valueFrom ? { kind: 'hidden', from: Object.keys(valueFrom)[0] ?? 'valueFrom' } : expanded(value ?? ''),
    ]),
  );
  const flags = flagsOf([...(command ?? []), ...(args ?? [])]);
  const given = settingNames.flatMap((name): [SettingName, Given][] => {
    const definition = definitionOf(name);
    const found = flags.get(flagOf(definition)) ?? variables.get(definition.env);
    // envFrom may set whatever env leaves out.
    if (found === undefined && sources.length > 0) return [[name, { kind: 'hidden', from: 'envFrom' }]];
    return found === undefined ? [] : [[name, found]];
  });
  return Object.fromEntries(given);
}

/** The kubelet puts other variables into `$(NAME)`. */
const expanded = (text: string): Given =>
  variablesIn(text).length > 0
    ? { kind: 'hidden', from: variablesIn(text).join(' and ') }
    : { kind: 'text', text };

/** Without what is around them, which may be the rest of a secret. */
const variablesIn = (text: string): readonly string[] => text.match(/\$\(\w+\)/g) ?? [];

/** Flags as package flag of Go reads them: one dash or two, and the value behind `=` or in the next word, except of booleans. */
function flagsOf(words: readonly string[]): ReadonlyMap<string, Given> {
  const types = new Map(
    settingNames.map((name) => [flagOf(definitionOf(name)), definitionOf(name).type] as const),
  );
  const flags = new Map<string, Given>();
  for (const [index, word] of words.entries()) {
    const [, name = '', value] = /^--?([a-z][a-z-]*)(?:=([\s\S]*))?$/.exec(word) ?? [];
    const type = types.get(name);
    if (type === undefined) continue;
    flags.set(name, expanded(value ?? (type === 'boolean' ? 'true' : (words[index + 1] ?? ''))));
  }
  return flags;
}
