import { expect } from 'vitest';
import type { Cases } from '../../../truth/contract.ts';
import { newPath, type SsmWorld, storeOf } from './world.ts';

const named = (name: string) => ({ name });

/** Tiers, types, patterns and names: PutParameter in the API reference of Systems Manager. */
export const ssmRuleCases: Cases<SsmWorld> = {
  // User guide, "Managing parameter tiers": an advanced parameter cannot become a standard one.
  'a parameter that became advanced stays advanced': async (world) => {
    const { put, overwrite } = storeOf(world);
    const name = newPath();
    const Tier = 'Intelligent-Tiering';
    expect(await put(name, 'x', { Tier })).toMatchObject({ Tier: 'Standard' });
    expect(await overwrite(name, 'x'.repeat(4097), { Tier })).toMatchObject({ Tier: 'Advanced' });
    expect(await overwrite(name, 'x', { Tier })).toMatchObject({ Tier: 'Advanced' });
    await expect(overwrite(name, 'x', { Tier: 'Standard' })).rejects.toMatchObject(
      named('ValidationException'),
    );
  },
  // User guide, "Managing parameter tiers".
  'the standard tier holds 4 KB and the advanced tier 8 KB': async (world) => {
    const { put } = storeOf(world);
    await put(newPath(), 'x'.repeat(4096));
    await expect(put(newPath(), 'x'.repeat(4097))).rejects.toMatchObject(named('ValidationException'));
    await put(newPath(), 'x'.repeat(8192), { Tier: 'Advanced' });
    await expect(put(newPath(), 'x'.repeat(8193), { Tier: 'Advanced' })).rejects.toMatchObject(
      named('ValidationException'),
    );
  },
  // PutParameter, HierarchyTypeMismatchException.
  'the type of a parameter cannot change': async (world) => {
    const { put, get } = storeOf(world);
    const name = newPath();
    await put(name, 'x');
    await expect(put(name, 'y', { Type: 'SecureString', Overwrite: true })).rejects.toMatchObject(
      named('HierarchyTypeMismatchException'),
    );
    expect(await get(name)).toMatchObject({ Value: 'x', Type: 'String' });
  },
  'a new parameter needs a type': async (world) => {
    await expect(storeOf(world).overwrite(newPath(), 'x')).rejects.toMatchObject(
      named('ValidationException'),
    );
  },
  // PutParameter, ParameterPatternMismatchException.
  'a value must match the allowed pattern': async (world) => {
    const { put } = storeOf(world);
    await expect(put(newPath(), 'twelve', { AllowedPattern: '^\\d+$' })).rejects.toMatchObject(
      named('ParameterPatternMismatchException'),
    );
  },
  // PutParameter, Name: the rules of names.
  'a name does not begin with aws or ssm, in any case': async (world) => {
    const { put } = storeOf(world);
    for (const name of ['/SSM/x', 'ssm-x', 'Aws-x'])
      await expect(put(name, 'x')).rejects.toMatchObject(named('ValidationException'));
  },
  'a name with levels begins with a slash': async (world) => {
    await expect(storeOf(world).put(`${newPath().slice(1)}/b`, 'x')).rejects.toMatchObject(
      named('ValidationException'),
    );
  },
  'a name has no spaces, and no punctuation except .-_ and the slash': async (world) => {
    const { put } = storeOf(world);
    for (const end of [' b', '&b', 'ä'])
      await expect(put(`${newPath()}${end}`, 'x')).rejects.toMatchObject(named('ValidationException'));
  },
  // PutParameter, HierarchyLevelLimitExceededException.
  'a name has at most 15 levels': async (world) => {
    const { put } = storeOf(world);
    const levels = (count: number): string => `${newPath()}${'/a'.repeat(count - 1)}`;
    await put(levels(15), 'x');
    await expect(put(levels(16), 'x')).rejects.toMatchObject(named('HierarchyLevelLimitExceededException'));
  },
};
