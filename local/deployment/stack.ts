import type { IgnoredPart } from '@drover/cloud-sandbox';
import type * as z from 'zod/mini';
import { type References, resolve } from './intrinsics.ts';
import { check, type Template } from './template.ts';

/** A resource of the template with its properties resolved, checked, and freed of what is ignored. */
export interface Read<Properties> {
  readonly logicalId: string;
  readonly properties: Properties;
}

/** How one type of resource is read. A property that is neither in the schema nor ignored is refused by name. */
export interface ResourceReader<Schema extends z.ZodMiniType> {
  readonly type: string;
  readonly schema: Schema;
  /** Property -> why it means nothing in the sandbox. */
  readonly ignoredProperties?: Readonly<Record<string, string>>;
}

/** The template on its way to the wiring: what has been read of it, and what has been left out knowingly. */
export interface Stack {
  readonly template: Template;
  readonly references: References;
  readonly ignored: IgnoredPart[];
}

/** Every resource of one type. @throws TemplateError */
export function readResources<Schema extends z.ZodMiniType>(
  stack: Stack,
  { type, schema, ignoredProperties = {} }: ResourceReader<Schema>,
): readonly Read<z.output<Schema>>[] {
  return Object.entries(stack.template.Resources)
    .filter(([, resource]) => resource.Type === type)
    .map(([logicalId, { Properties = {} }]) => {
      const where = `Resources.${logicalId}.Properties`;
      const kept = Object.entries(Properties).filter(([property]) => !(property in ignoredProperties));
      for (const [property, why] of Object.entries(ignoredProperties))
        if (property in Properties) stack.ignored.push({ what: `${logicalId}.${property}`, why });
      const resolved = resolve(Object.fromEntries(kept), stack.references, where);
      return { logicalId, properties: check(schema, resolved, where) };
    });
}
