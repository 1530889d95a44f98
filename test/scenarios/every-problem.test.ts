import { expect, it } from 'vitest';
import { problemKinds } from '../../shared/problems/kinds.ts';
import { cases } from '../support/problems/cases.ts';
import {
  createProblemWorld,
  deadLetterIn,
  heldNode,
  minutes,
  raise,
} from '../support/problems/problem-world.ts';
import { type Shown, type ShownProblem, surfaceNames, surfaces } from '../support/problems/surfaces.ts';

const textOf = ({ kind, subject }: ShownProblem): string => `${kind} ${subject}`;

/** The problems of a list that another list has too, in the order of the first. */
const shared = (list: Shown, other: Shown): readonly string[] => {
  const known = new Set(other.problems.map(textOf));
  return list.problems.map(textOf).filter((text) => known.has(text));
};

it('each kind of problem has a case', () => {
  expect(Object.keys(cases)).toEqual(problemKinds);
});

it.each(Object.entries(cases))(
  '%s is shown by drover status, drover doctor, the scale API, the sandbox’s page, drover ui and the digest, in one order',
  async (kind, { options, make, unseen = {} }) => {
    const world = createProblemWorld(options);
    await make(world);
    const whole = await surfaces.status(world);
    const wanted = whole.problems.filter((problem) => problem.kind === kind).map(textOf);
    expect(wanted).not.toEqual([]);
    for (const name of surfaceNames) {
      const shown = await surfaces[name](world);
      expect(shared(shown, whole), `the order of ${name}`).toEqual(shared(whole, shown));
      const exception = unseen[name];
      const own = shown.problems.filter((problem) => problem.kind === kind);
      if (exception === undefined) expect(own.map(textOf), name).toEqual(wanted);
      else if (exception.names === undefined)
        expect(
          own.map(({ subject, alarm }) => [subject, alarm]),
          `${name}: ${exception.reason}`,
        ).toEqual([[exception.alarm, exception.alarm]]);
      else expect(shown.notLookedAt, `${name}: ${exception.reason}`).toContain(exception.names);
    }
  },
);

it('problems of several kinds are one list, in one order, on every surface', async () => {
  const world = createProblemWorld();
  await heldNode(world, { tags: { 'drover.dev/drain-timeout': '2h', 'drover.dev/force': 'perhaps' } });
  await world.timeline.pass(20 * minutes);
  deadLetterIn(world);
  await raise(world, 'bound-exceeded');
  const whole = (await surfaces.status(world)).problems.map(textOf);
  expect(whole.map((text) => text.split(' ')[0])).toEqual(['bounded', 'dead-letters', 'budget', 'tag']);
  for (const name of surfaceNames)
    expect((await surfaces[name](world)).problems.map(textOf), name).toEqual(whole);
});
