import type { Node } from 'kubernetes-types/core/v1.d.ts';
import { describe, expect, it } from 'vitest';
import {
  groupsWithLeftReservations,
  isReserved,
  releaseOf,
  reservationOf,
  reservedOf,
} from '../../../shared/giving-back/reservation.ts';
import { givingBackAnnotation, leavingAnnotation } from '../../../shared/nodes/node-keys.ts';
import { groupWith, nodeOf } from '../capacity/fixtures.ts';

const now = Date.parse('2026-11-24T12:00:00Z');

const annotated = (number: number, annotations: Readonly<Record<string, string>>): Node => {
  const node = nodeOf(number);
  return { ...node, metadata: { ...node.metadata, uid: `uid-${number}`, annotations } };
};
const reservedAt = (time: string, number = 1): Node => annotated(number, { [givingBackAnnotation]: time });

describe('the reservation of a node', () => {
  it('cordons the node and says since when, on this node only', () => {
    const time = '2026-11-24T12:00:00.000Z';
    expect(reservationOf(annotated(1, {}), now)).toEqual({
      metadata: { uid: 'uid-1', annotations: { [givingBackAnnotation]: time } },
      spec: { unschedulable: true },
    });
    expect(reservationOf({}, now).metadata).toEqual({ annotations: { [givingBackAnnotation]: time } });
  });

  it('is refused by the API server for a node that has changed since it was read', () => {
    expect(reservationOf({ metadata: { resourceVersion: '7' } }, now).metadata).toMatchObject({
      resourceVersion: '7',
    });
  });

  it('is taken back with its cordon', () => {
    expect(releaseOf(reservedAt('x'))).toEqual({
      metadata: { uid: 'uid-1', annotations: { [givingBackAnnotation]: null } },
      spec: { unschedulable: null },
    });
    expect(releaseOf({})).toEqual({
      metadata: { annotations: { [givingBackAnnotation]: null } },
      spec: { unschedulable: null },
    });
  });

  it('is taken back without its cordon from a node that leaves meanwhile', () => {
    const leaving = annotated(1, { [givingBackAnnotation]: 'x', [leavingAnnotation]: '{}' });
    expect(releaseOf(leaving)).not.toHaveProperty('spec');
  });

  it('is on a node with its annotation, whatever that says', () => {
    expect([reservedAt('x'), reservedAt('')].every(isReserved)).toBe(true);
    expect([nodeOf(1), annotated(1, {}), {}].filter(isReserved)).toEqual([]);
  });
});

describe('the reserved nodes of a group', () => {
  it('are those of its instances in service', () => {
    const group = groupWith(['InService', 'Terminating:Wait', 'InService']);
    const nodes = [reservedAt('x', 1), reservedAt('x', 2), nodeOf(3), reservedAt('x', 4)];
    expect(reservedOf(group, nodes)).toEqual([nodes[0]]);
    expect(reservedOf(group, [{ ...reservedAt('x'), spec: {} }])).toEqual([]);
    expect(reservedOf(group, [{ metadata: reservedAt('x').metadata ?? {} }])).toEqual([]);
  });
});

describe('a reservation that was left behind', () => {
  const groups = [groupWith(['InService'])];
  const names = (time: string, number?: number) =>
    groupsWithLeftReservations(groups, [nodeOf(2), reservedAt(time, number)], now);

  it.each([
    ['three minutes old', '2026-11-24T11:57:00Z'],
    ['of a clock that is three minutes ahead', '2026-11-24T12:03:00Z'],
    ['of no time', 'never'],
    ['of an empty text', ''],
  ])('is one %s', (_, time) => {
    expect(names(time)).toEqual(['workers']);
  });

  it.each([
    ['that is younger', '2026-11-24T11:57:01Z'],
    ['of a clock that is a little ahead', '2026-11-24T12:02:59Z'],
  ])('is none %s', (_, time) => {
    expect(names(time)).toEqual([]);
  });

  it('is none of an instance of no group', () => {
    expect(names('2026-11-24T11:00:00Z', 7)).toEqual([]);
  });
});
