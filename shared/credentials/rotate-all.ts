import { messageOf } from '../base/message-of.ts';

/**
 * Rotates one credential after another. One that fails does not keep the others from being rotated.
 *
 * @throws the error of the only one that failed, or an AggregateError of all that did.
 */
export async function rotateAll<Rotation, Result>(
  rotations: readonly Rotation[],
  rotate: (rotation: Rotation) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  for (const rotation of rotations)
    try {
      results.push(await rotate(rotation));
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 1) throw new AggregateError(failures, failures.map(messageOf).join(' '));
  if (failures.length === 1) throw failures[0];
  return results;
}
