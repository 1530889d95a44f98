import { DroverCommand } from '../../parts/copy.tsx';
import { Panel } from '../../parts/section.tsx';

/** What the page of a real account does not read, and where to find it. */
export const Elsewhere = () => (
  <Panel id="elsewhere" title="Not on this page">
    <p class="quiet">
      Pods are read only of nodes that leave, and not through the scale API. Members of etcd:
    </p>
    <DroverCommand args="etcd status" what="the command for the members of etcd" />
  </Panel>
);
