import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { decided, withInheritedConditions } from '../../scripts/deployment/conditions.ts';
import type { Resources } from '../../scripts/deployment/template-plugin.ts';

type Parameters = Readonly<Record<string, string | number | null>>;

/** The conditions of deploy/conditions.yml for a stage with these parameters. */
export function conditionsOf(parameters: Parameters): Readonly<Record<string, unknown>> {
  const text = readFileSync('deploy/conditions.yml', 'utf8').replaceAll(
    /\$\{param:(\w+)[^}]*\}/g,
    (_, name: string) => String(parameters[name] ?? ''),
  );
  return (parse(text) as { readonly Conditions: Readonly<Record<string, unknown>> }).Conditions;
}

/** What the conditions of deploy/conditions.yml choose of some resources for a stage with these parameters. */
export const chosenResources = (Resources: Resources, parameters: Parameters): Resources =>
  decided(withInheritedConditions({ Conditions: conditionsOf(parameters), Resources, Outputs: {} }))
    .Resources;
