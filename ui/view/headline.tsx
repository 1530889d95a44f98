import { placed } from '../state/condition.ts';
import { headlineOf } from '../state/headline.ts';
import type { DashboardState } from '../state/types.ts';
import { counted } from '../state/words.ts';
import { Alarms } from './panels/alarms.tsx';

/** The state in a sentence, with what is so besides and a few figures. */
export function HeadlinePart({ state }: { readonly state: DashboardState }) {
  const { tone, text, more } = headlineOf(state);
  return (
    <section class="headline" data-tone={tone} aria-label="At a glance">
      <p class="sentence">{text}.</p>
      {more.length > 0 && (
        <ul class="more">
          {more.map((statement) => (
            <li key={statement.text} data-tone={statement.tone}>
              {statement.text}
            </li>
          ))}
        </ul>
      )}
      <p class="quiet figures">{figures(state).join(' · ')}</p>
      {state.alarms.length > 0 && <Alarms alarms={state.alarms} />}
    </section>
  );
}

function figures({ groups, queues, waitingPods }: DashboardState): readonly string[] {
  const all = placed(groups);
  const serving = all.filter(({ condition }) => condition === 'serving').length;
  const desired = groups.reduce((sum, { desiredCapacity }) => sum + desiredCapacity, 0);
  const pods = all.flatMap(({ instance }) => instance.node?.pods ?? []);
  const running = pods.filter(({ state }) => state === 'running').length;
  const messages = queues
    .filter(({ deadLetters }) => !deadLetters)
    .reduce((sum, { visible, inFlight, delayed }) => sum + visible + inFlight + delayed, 0);
  return [
    `${serving.toLocaleString('en')} of ${desired.toLocaleString('en')} desired instances serve`,
    `${running.toLocaleString('en')} of ${(pods.length + waitingPods.length).toLocaleString('en')} pods running`,
    `${counted(messages, 'message')} in queues`,
  ];
}
