import type { Cloud } from '@drover/cloud-sandbox';
import { messageOf } from '../../../shared/base/message-of.ts';
import { act } from '../../dashboard/actions.ts';
import { viewOf } from '../../story/view.ts';
import { pressOf } from './press.ts';

export interface KeyboardParts {
  readonly cloud: Cloud;
  readonly pageUrl: string;
  /** Reports what a key has done. */
  readonly tell: (text: string) => void;
  readonly openPage: (url: string) => Promise<void>;
  readonly quit: () => void;
}

/** Does what the keys of the sandbox's terminal mean. */
export function createKeyboard({ cloud, pageUrl, tell, openPage, quit }: KeyboardParts) {
  return (chunk: string): void => {
    const press = pressOf(chunk, viewOf(cloud), spotIdsOf(cloud));
    switch (press?.kind) {
      case 'quit':
        quit();
        break;
      case 'open':
        openPage(pageUrl).then(
          () => tell(`A browser was asked to open ${pageUrl}.`),
          (error: unknown) => tell(`Open ${pageUrl} by hand: ${messageOf(error)}.`),
        );
        break;
      case 'refused':
        tell(`Nothing happens: ${press.why}.`);
        break;
      case 'act':
        try {
          tell(act(cloud, press.action));
        } catch (error) {
          tell(`Nothing happens: ${messageOf(error)}`);
        }
        break;
      case undefined:
    }
  };
}

const spotIdsOf = ({ account }: Cloud): ReadonlySet<string> =>
  new Set(
    (account.ec2.operations.DescribeInstances({}).Reservations ?? [])
      .flatMap(({ Instances = [] }) => Instances)
      .filter(({ InstanceLifecycle }) => InstanceLifecycle === 'spot')
      .flatMap(({ InstanceId }) => InstanceId ?? []),
  );
