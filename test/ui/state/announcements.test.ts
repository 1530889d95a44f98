import { describe, expect, it } from 'vitest';
import { announcements } from '../../../ui/state/announcements.ts';
import { group, instance, leavingInstance, state } from '../states.ts';

const withInstances = (...instances: ReturnType<typeof instance>[]) =>
  state({ groups: [group({ instances })] });

describe('the announcements between two states', () => {
  it('are empty if nothing has happened', () => {
    expect(announcements(state(), state())).toEqual([]);
  });

  it('have the new state of an instance, and that its node is drained', () => {
    const { instanceId } = leavingInstance();
    expect(announcements(withInstances(instance({ instanceId })), withInstances(leavingInstance()))).toEqual([
      `${instanceId} is Terminating:Wait`,
      'ip-10-0-0-5.eu-west-1.compute.internal is drained',
    ]);
  });

  it('say that an instance was added, and that one was removed', () => {
    expect(
      announcements(
        withInstances(instance()),
        withInstances(leavingInstance({ lifecycleState: 'Pending', node: undefined })),
      ),
    ).toEqual(['i-0fedcba9876543210 is Pending', 'i-0123456789abcdef0 has left its group']);
  });

  it('begin with a new dead letter', () => {
    const queue = { queueName: 'dead', deadLetters: true, visible: 0, inFlight: 0, delayed: 0 };
    const said = announcements(
      state({ queues: [queue], groups: [] }),
      state({ queues: [{ ...queue, visible: 1 }] }),
    );
    expect(said[0]).toBe('A dead letter has come into dead');
  });

  it('are cut short if much happens at once', () => {
    const many = Array.from({ length: 9 }, (_, index) => instance({ instanceId: `i-0000000${index}` }));
    const said = announcements(withInstances(), withInstances(...many));
    expect(said).toHaveLength(4);
    expect(said.at(-1)).toBe('and 6 more changes');
  });
});
