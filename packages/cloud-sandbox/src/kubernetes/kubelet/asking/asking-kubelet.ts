import { deferred } from '../../../simulation/deferred.ts';
import type { Kubelet } from '../kubelet.ts';
import { certificateTimes } from './certificate-times.ts';
import { bootstrap, renewClient, serve } from './certificates-of-kubelet.ts';
import type { AskingOptions, AskingParts, Living } from './living.ts';
import { createMachine, type Machine } from './machine.ts';
import { register } from './node-of-kubelet.ts';
import { retried } from './retried.ts';

/** A kubelet that has no rights but those of its certificates. */
export interface AskingKubelet extends Kubelet {
  /** The machine has other addresses: the Node and the serving certificate follow. */
  addressesChanged(): void;
}

/**
 * A kubelet as its machine boots it: it asks for a client certificate with the bootstrap token, registers its Node with
 * it, asks for a serving certificate, and renews both. Without a valid client certificate it begins again.
 */
export function startAskingKubelet(parts: AskingParts, options: AskingOptions): AskingKubelet {
  const whole = createMachine(parts);
  let kubelet: Kubelet | undefined;
  let changed = deferred<void>();
  const living = (machine: Machine): Living => ({
    ...parts,
    ...options,
    machine,
    addressChange: () => changed.promise,
  });
  const run = async (): Promise<never> => {
    for (;;) {
      const machine = whole.part();
      await join(living(machine));
      kubelet = parts.startKubelet(options.node);
      void serve(living(machine));
      await renewClient(living(machine));
      machine.end();
      kubelet.stop();
      options.onLine('kubelet: the client certificate has expired');
    }
  };
  void run();
  return {
    nodeName: options.node.nodeName,
    get alive() {
      return whole.isOn();
    },
    stop: () => {
      whole.end();
      kubelet?.stop();
    },
    pause: () => {
      whole.pause();
      kubelet?.pause();
    },
    resume: () => {
      whole.resume();
      kubelet?.resume();
    },
    addressesChanged: () => {
      changed.resolve();
      changed = deferred();
    },
  };
}

/** How often user data looks whether its instance has left the warm pool. */
const pollMilliseconds = 5_000;

/** A kubelet that ends is started again by systemd. */
const restartSeconds = (): number => 10;

async function join(living: Living): Promise<void> {
  const { disk, clock, machine } = living;
  while (!living.mayJoin()) await machine.sleepUntil(clock.now() + pollMilliseconds);
  const isValid = disk.client !== undefined && clock.now() < certificateTimes(disk.client).notAfter;
  if (!isValid) disk.client = await retried(living, restartSeconds, () => bootstrap(living));
  await retried(living, restartSeconds, () => register(living));
}
