import { describe, expect, it } from 'vitest';
import { alarmProblems } from '../../../shared/problems/alarm-problems.ts';
import { alarmsOf, problemKinds } from '../../../shared/problems/kinds.ts';
import { problemOf } from '../../../shared/problems/problem.ts';
import { problemWords } from '../../../ui/state/problem-words.ts';

describe('the words of a problem', () => {
  it('are those of people: a stolen token, and not the name of an alarm', () => {
    const subject = 'ip-10-0-0-5.eu-west-1.compute.internal';
    const problem = problemOf({ kind: 'certificate-conflict', subject, message: 'two keys ask for it' });
    expect(problemWords(problem)).toEqual({
      title: 'Someone may hold a stolen token for ip-10-0-0-5',
      text: 'two keys ask for it',
    });
  });

  it.each(problemKinds.filter((kind) => alarmsOf(kind).length === 0))(
    'name the subject and not the kind: %s',
    (kind) => {
      const { title } = problemWords(problemOf({ kind, subject: 'workers', message: 'why it is so' }));
      expect(title).toContain('workers');
      expect(title).not.toContain('needs an operator');
    },
  );

  it.each(problemKinds.flatMap(alarmsOf))('of the alarm %s are its description', (name) => {
    const description = 'A function of Drover fails: its log says why. Look there.';
    const [found] = alarmProblems([{ name, description, since: 0 }], []);
    const problem = problemOf(found ?? { kind: 'failing', subject: '', message: '' });
    expect(problemWords(problem)).toEqual({
      title: 'A function of Drover fails',
      text: 'its log says why. Look there',
    });
  });

  it('name the subject where its message begins with it, up to the first colon', () => {
    const of = (message: string) => problemWords({ kind: 'tag', subject: 'spare', message });
    expect(of('it is left alone: it is of EKS; ask')).toEqual({
      title: 'spare is left alone',
      text: 'it is of EKS; ask',
    });
    expect(of('its tag a:b is unknown')).toEqual({ title: 'spare: its tag a:b is unknown', text: '' });
  });

  it('are the message of a newer API about a kind that this page does not know', () => {
    const words = { subject: 'workers', message: 'it has hiccups' };
    for (const kind of [undefined, 'hiccups', 'constructor', '__proto__'])
      expect(problemWords({ ...words, ...(kind !== undefined && { kind }) })).toEqual({
        title: 'workers has hiccups',
        text: '',
      });
  });
});
