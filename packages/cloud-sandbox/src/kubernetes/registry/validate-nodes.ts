import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { StatusCause } from 'kubernetes-types/meta/v1.d.ts';
import { forbiddenValue, unsupportedValue } from './causes.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The server names taints as part of the metadata. */
export const nodeCauses = ({ spec }: Node): readonly StatusCause[] =>
  (spec?.taints ?? []).flatMap(({ effect }, place) =>
    effects.includes(effect) ? [] : [unsupportedValue(`metadata.taints[${place}].effect`, effect, effects)],
  );

/** An update looks at the whole node once more. */
export function nodeUpdateCauses(previous: Node, next: Node): readonly StatusCause[] {
  const before = previous.spec?.providerID ?? '';
  const stays = before === '' || before === next.spec?.providerID;
  const why = 'node updates may not change providerID except from "" to valid';
  return [...nodeCauses(next), ...(stays ? [] : [forbiddenValue('spec.providerID', why)])];
}
