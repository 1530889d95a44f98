import type { Rule } from './rule.ts';

export const messagesAreKept: Rule = {
  name: 'messages-are-kept',
  sentence:
    'A message leaves the queue only if a pass is done, or if another message of its subject is there.',
  onMoment: ({ departures }) => {
    const lost = departures.find(({ lastOutcome, othersStand }) => lastOutcome !== 'done' && !othersStand);
    return (
      lost &&
      `the message of ${lost.subject} is gone, and its last pass said: ${lost.lastOutcome ?? 'nothing'}`
    );
  },
};
