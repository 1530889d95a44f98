import { describe, expect, it } from 'vitest';
import type { Workload } from '../../../../shared/capacity/manifests/workload.ts';
import { planNodes } from '../../../../shared/capacity/plan/plan.ts';
import { requestsOfPod } from '../../../../shared/capacity/plan/requests.ts';
import { prepare } from '../../../contract/scheduler/support/carry-out.ts';
import { applications } from './well-known/applications.ts';
import { planOfShape, readingOf } from './well-known/plan-of-shape.ts';
import { platform } from './well-known/platform.ts';

const shapes = Object.entries({ ...applications, ...platform });

const row = ({ kind, name, replicas, pods: [pod] }: Workload) => {
  const requests = pod && requestsOfPod(pod);
  return [kind, name, replicas, requests?.get('cpu') ?? 0, (requests?.get('memory') ?? 0) / 1024 ** 2];
};

describe('manifests in the shape of well-known projects', () => {
  it('are twenty', () => expect(shapes).toHaveLength(20));

  it.each(shapes)('%s are read and planned', (_, shape) => {
    const { documents, workloads, newNodes, notes = [] } = shape;
    const reading = readingOf(shape);
    expect(reading.problems).toEqual([]);
    expect(reading.workloads.map(row)).toEqual(workloads);
    expect(reading.notes).toEqual(notes.map((note) => expect.stringMatching(note)));
    const plan = planNodes(prepare(planOfShape(shape)).request);
    expect([...plan.newNodes.values()].reduce((sum, count) => sum + count, 0)).toBe(newNodes);
    expect([...plan.unplaced].map(({ requests }) => requests.get('nvidia.com/gpu'))).toEqual(
      documents.some((text) => text.includes('nvidia.com/gpu')) ? [1] : [],
    );
  });
});
