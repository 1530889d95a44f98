import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { decided, withInheritedConditions } from '../../scripts/deployment/conditions.ts';
import type { Resources } from '../../scripts/deployment/template-plugin.ts';

/** What the conditions of deploy/conditions.yml choose of some resources for a stage with these parameters. */
export function chosenResources(
  Resources: Resources,
  parameters: Readonly<Record<string, string>>,
): Resources {
  const text = readFileSync('deploy/conditions.yml', 'utf8').replaceAll(
    /\$\{param:(\w+)[^}]*\}/g,
    (_, name: string) => parameters[name] ?? '',
  );
  const template = { ...(parse(text) as object), Resources, Outputs: {} };
  return decided(withInheritedConditions(template)).Resources;
}
