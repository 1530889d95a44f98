import type { ServedPage } from '../../ui/server/answer.ts';
import { createBroadcast, type Repeat } from '../../ui/server/broadcast.ts';
import type { CliContext } from '../context.ts';
import { createLooker, type LookerOptions, type Shown } from './look/looker.ts';
import { plainState } from './look/plain-state.ts';

/** What a page is made of. */
export interface PageSource<State extends Shown>
  extends Pick<LookerOptions<State>, 'read' | 'onFault' | 'restMilliseconds'>,
    Pick<ServedPage, 'files' | 'reports'> {}

/** A page that reads while it is open in a browser, once for all who have it open. */
export function createPage<State extends Shown>(
  { read, onFault, restMilliseconds, files, reports }: PageSource<State>,
  { clock }: Pick<CliContext, 'clock'>,
): ServedPage {
  const looker = createLooker({
    read: async () => plainState(await read()),
    onRead: () => broadcast.look(),
    onFault,
    clock,
    ...(restMilliseconds !== undefined && { restMilliseconds }),
  });
  const broadcast = createBroadcast({
    read: () => {
      looker.refresh();
      return looker.latest();
    },
    repeat: repeatOn(clock),
    onFault,
  });
  return {
    files,
    broadcast,
    reports,
    read: async () => {
      await looker.look();
      return looker.latest();
    },
  };
}

/** Each turn is a timer of its own, so that a slow turn is followed by a pause. */
const repeatOn =
  (clock: CliContext['clock']): Repeat =>
  (milliseconds, task) => {
    let timer = clock.after(milliseconds, turn);
    function turn(): void {
      task();
      timer = clock.after(milliseconds, turn);
    }
    return () => timer.cancel();
  };
