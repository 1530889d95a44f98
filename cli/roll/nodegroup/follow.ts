import type { EKSClient } from '@aws-sdk/client-eks';
import { messageOf } from '../../../shared/base/message-of.ts';
import { shellWord } from '../../../shared/base/shell-words.ts';
import type { EksNodegroup } from '../../../shared/groups/group.ts';
import { changesOnly } from '../../changes-only.ts';
import type { CliContext } from '../../context.ts';
import { CliError, exitCodes } from '../../exit-codes.ts';
import { interruptible, unlessInterrupted } from '../../interruption.ts';
import { jsonLine } from '../../json-text.ts';
import { oneLine } from '../../plain-text.ts';
import type { ChosenNodegroup } from './choose.ts';
import { describeError, readUpdate } from './read-updates.ts';

export interface Followed {
  readonly nodegroup: ChosenNodegroup;
  readonly updateId: string;
  /** Seconds; 0 for no timeout. */
  readonly timeout: number;
  readonly json?: true;
}

const pollMilliseconds = 10_000;

const flagsOf = ({ eksClusterName, nodegroupName }: EksNodegroup): string =>
  `--name ${shellWord(eksClusterName)} --nodegroup-name ${shellWord(nodegroupName)}`;

/** The command that shows an update. */
export const describeUpdate = ({
  nodegroup,
  updateId,
}: {
  readonly nodegroup: EksNodegroup;
  readonly updateId: string;
}): string => `aws eks describe-update ${flagsOf(nodegroup)} --update-id ${updateId}`;

/** The commands that show the updates of a node group. */
export const updateCommands = (nodegroup: EksNodegroup): string =>
  `aws eks list-updates ${flagsOf(nodegroup)} lists its updates, ${describeUpdate({ nodegroup, updateId: 'ID' })} shows one`;

/**
 * Shows the state of an update whenever it changes, until it has ended. Ctrl-C ends only the command.
 *
 * @returns the errors of an update that did not succeed; empty if it did
 * @throws CliError `timedOut` after the timeout, `interrupted` at Ctrl-C.
 */
export async function followUpdate(
  eks: EKSClient,
  followed: Followed,
  context: CliContext,
): Promise<readonly string[]> {
  const { timeout, json } = followed;
  const { clock, stdout, stderr } = context;
  const giveUpAt = timeout > 0 ? clock.now() + timeout * 1000 : Infinity;
  const goesOn = `the update goes on without this command: ${describeUpdate(followed)}`;
  const warn = changesOnly((message) => stderr.write(`warning: ${oneLine(message)}\n`));
  const show = changesOnly((text) => stdout.write(text));
  let ended: readonly string[] | undefined;
  await interruptible(context, async (interruptibly) => {
    for (;;) {
      try {
        const { status, errors } = await readUpdate(eks, followed.nodegroup, followed.updateId);
        show(
          json
            ? jsonLine({ update: followed.updateId, status, errors })
            : `update ${followed.updateId} is ${status}\n`,
        );
        if (status === 'Successful') ended = [];
        else if (status !== 'InProgress')
          ended = errors.length > 0 ? errors.map(describeError) : [`the update is ${status}`];
      } catch (error) {
        warn(messageOf(error));
      }
      if (ended !== undefined) return;
      if (clock.now() >= giveUpAt)
        throw new CliError(`the timeout has passed; ${goesOn}`, exitCodes.timedOut);
      await unlessInterrupted(context.pause(pollMilliseconds), interruptibly, goesOn);
    }
  });
  return ended ?? [];
}
