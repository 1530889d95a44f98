import { placed } from '../state/condition.ts';
import { headlineOf } from '../state/headline.ts';
import type { DashboardState, InstanceView, QueueView } from '../state/types.ts';
import { counted, dateTime } from '../state/words.ts';
import { Unknown } from './panels/unknown.tsx';

/** The state in a sentence, with what is so besides and a few figures. */
export function HeadlinePart({
  state,
  oldSince,
}: {
  readonly state: DashboardState;
  readonly oldSince: number | undefined;
}) {
  const { tone, text, more } = headlineOf(state);
  const isOld = oldSince !== undefined;
  return (
    <section class="headline" data-tone={isOld && tone !== 'bad' ? 'warn' : tone} aria-label="At a glance">
      <p class="sentence">
        {isOld && `As of ${dateTime(oldSince)}: `}
        {text}.
      </p>
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
      <Unknown unknown={state.unknown} />
      {state.notLookedAt && state.notLookedAt.length > 0 && (
        <p class="quiet not-looked-at">{`Not looked at: ${state.notLookedAt.join(', ')}`}</p>
      )}
    </section>
  );
}

/** Figures that are unknown are left out. Of a real account most pods are not read. */
function figures({ source, groups, queues, unknown, waitingPods }: DashboardState): readonly string[] {
  const isUncounted = groups.some(({ instancesUnknown }) => instancesUnknown);
  if (isUncounted || (groups.length === 0 && unknown.length > 0)) return [];
  const all = placed(groups);
  const serving = all.filter(({ condition }) => condition === 'serving').length;
  // Units and instances have no sum.
  const isInUnits = groups.some(({ countsUnits }) => countsUnits);
  const desired = groups.reduce((sum, { desiredCapacity }) => sum + desiredCapacity, 0);
  const isUnknown = all.some(({ instance }) => instance.nodeUnknown);
  const does = isUnknown ? 'are in service, with or without a Node' : 'serve';
  return [
    isInUnits
      ? `${serving.toLocaleString('en')} of ${counted(all.length, 'instance')} ${does}`
      : `${serving.toLocaleString('en')} of ${desired.toLocaleString('en')} desired instances ${does}`,
    ...(source === 'sandbox'
      ? [
          podFigure(
            all.map(({ instance }) => instance),
            waitingPods,
          ),
        ]
      : []),
    ...(queues ? [`${counted(messagesIn(queues), 'message')} in queues`] : []),
  ];
}

function podFigure(
  instances: readonly InstanceView[],
  waitingPods: DashboardState['waitingPods'] = [],
): string {
  const pods = instances.flatMap(({ node }) => node?.pods ?? []);
  const running = pods.filter(({ state }) => state === 'running').length;
  const total = pods.length + waitingPods.length;
  return `${running.toLocaleString('en')} of ${total.toLocaleString('en')} pods running`;
}

const messagesIn = (queues: readonly QueueView[]): number =>
  queues
    .filter(({ deadLetters }) => !deadLetters)
    .reduce((sum, { visible, inFlight, delayed }) => sum + visible + inFlight + delayed, 0);
