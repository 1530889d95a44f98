import type { Command } from 'commander';
import type { AutoScalingFlags } from '../auto-scaling/flags.ts';
import type { ClusterFlags } from '../cluster-flags.ts';

/** The flags with which a command says where the pods of nodes that go would go. */
export interface RoomFlags extends AutoScalingFlags, ClusterFlags {
  /** False: the other nodes and pods are not read. */
  readonly room: boolean;
}

/**
 * Adds the flag that leaves that out.
 *
 * @param of the flag with which the command changes nothing, such as `--dry-run`.
 */
export const withRoomFlag = (command: Command, of: '--dry-run' | '--plan'): Command =>
  command.option(
    '--no-room',
    `of ${of}: do not read the other nodes and pods, to plan where the pods would go`,
  );
