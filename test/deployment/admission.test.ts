import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { validitySeconds } from '../../shared/credentials/rotation-plan.ts';
import { missingAnnotation } from '../../shared/joining/namesake.ts';
import { machineLabels } from '../../shared/joining/node-template.ts';
import {
  excludeFromLoadBalancersLabel,
  givingBackAnnotation,
  keptEmptyAnnotation,
  leavingAnnotation,
  leavingLabel,
  oldNodeTaintKey,
  rollingAnnotation,
  scaleDownDisabledAnnotation,
} from '../../shared/nodes/node-keys.ts';
import { readConfig } from '../../shared/runtime/config.ts';

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly policyName?: string;
    readonly failurePolicy?: string;
    readonly validationActions?: readonly string[];
    readonly variables?: readonly { readonly name: string; readonly expression: string }[];
    readonly validations?: readonly { readonly expression: string; readonly message: string }[];
  };
}

const objects = parseAllDocuments(readFileSync('deploy/admission.yaml', 'utf8')).map(
  (document) => document.toJS() as Policy,
);
const policies = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicy');

/** The texts in quotes of a variable of a policy. */
function namesIn(policyName: string, variable: string): readonly string[] {
  const { spec } = policies.find(({ metadata }) => metadata.name === policyName) ?? {};
  const { expression = '' } = spec?.variables?.find(({ name }) => name === variable) ?? {};
  return [...expression.matchAll(/'([^']+)'/g)].map(([, text = '']) => text).sort();
}

// A real API server evaluates the policies in test/contract/admission.
describe('the admission policies', () => {
  test('are each bound, deny, and fail closed', () => {
    const bindings = objects.filter(({ kind }) => kind === 'ValidatingAdmissionPolicyBinding');
    expect(bindings.map(({ spec }) => spec.policyName)).toEqual(
      policies.map(({ metadata }) => metadata.name),
    );
    for (const { spec } of bindings) expect(spec.validationActions).toEqual(['Deny']);
    for (const { spec } of policies) expect(spec.failurePolicy).toBe('Fail');
  });

  test('allow Drover exactly the keys that it writes on Nodes', () => {
    expect(namesIn('drover-nodes', 'ownAnnotations')).toEqual(
      [
        leavingAnnotation,
        givingBackAnnotation,
        rollingAnnotation,
        missingAnnotation,
        keptEmptyAnnotation,
        scaleDownDisabledAnnotation,
      ].sort(),
    );
    expect(namesIn('drover-nodes', 'ownLabels')).toEqual(
      [leavingLabel, excludeFromLoadBalancersLabel].sort(),
    );
    expect(JSON.stringify(objects)).toContain(`before.key == '${oldNodeTaintKey}'`);
    expect(namesIn('drover-nodes', 'machineLabels')).toEqual([...machineLabels].sort());
  });

  test('allow the longest validity of a token that the parameters allow, and one day more', () => {
    const names = ['bootstrapRotationSeconds', 'bootstrapOverlapSeconds'] as const;
    const environment = { DROVER_BOOTSTRAP_ROTATION: '30d', DROVER_BOOTSTRAP_OVERLAP: '1d' };
    const { bootstrapRotationSeconds, bootstrapOverlapSeconds } = readConfig(environment, names);
    for (const longer of [{ DROVER_BOOTSTRAP_ROTATION: '721h' }, { DROVER_BOOTSTRAP_OVERLAP: '25h' }])
      expect(() => readConfig({ ...environment, ...longer }, names)).toThrow();
    const longest = validitySeconds({
      rotationSeconds: bootstrapRotationSeconds,
      overlapSeconds: bootstrapOverlapSeconds,
    });
    const bounds = policies.flatMap(({ spec }) =>
      (spec.validations ?? []).flatMap(
        ({ expression }) => /duration\('(\d+)h'\)/.exec(expression)?.[1] ?? [],
      ),
    );
    expect(bounds.map(Number)).toEqual([longest / 3600 + 24]);
  });
});
