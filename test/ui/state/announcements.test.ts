import { describe, expect, it } from 'vitest';
import { announcements } from '../../../ui/state/announcements.js';
import { group, instance, leavingInstance, state } from '../states.ts';

const withInstances = (...instances: ReturnType<typeof instance>[]) =>
  state({ groups: [group({ instances })] });

describe('what is said between two states', () => {
  it('is nothing where nothing has happened', () => {
    expect(announcements(state(), state())).toEqual([]);
  });

  it('is where an instance has got to, and that its node is drained', () => {
    const { instanceId } = leavingInstance();
    expect(announcements(withInstances(instance({ instanceId })), withInstances(leavingInstance()))).toEqual([
      `${instanceId} is Terminating:Wait`,
      'ip-10-0-0-5.eu-west-1.compute.internal is drained',
    ]);
  });

  it('is that an instance has come, and that one has gone', () => {
    expect(
      announcements(
        withInstances(instance()),
        withInstances(leavingInstance({ lifecycleState: 'Pending', node: undefined })),
      ),
    ).toEqual(['i-0fedcba9876543210 is Pending', 'i-0123456789abcdef0 has left its group']);
  });

  it('is a new dead letter, before all else', () => {
    const queue = { queueName: 'dead', deadLetters: true, visible: 0, inFlight: 0, delayed: 0 };
    const said = announcements(
      state({ queues: [queue], groups: [] }),
      state({ queues: [{ ...queue, visible: 1 }] }),
    );
    expect(said[0]).toBe('A dead letter has come into dead');
  });

  it('is cut short where much happens at once', () => {
    const many = Array.from({ length: 9 }, (_, index) => instance({ instanceId: `i-0000000${index}` }));
    const said = announcements(withInstances(), withInstances(...many));
    expect(said).toHaveLength(4);
    expect(said.at(-1)).toBe('and 6 more changes');
  });
});
