import { DroverCommand } from '../../parts/copy.tsx';
import { Panel } from '../../parts/section.tsx';

const places = [
  ['Passes', 'events --follow'],
  ['Dead letters', 'redrive --dry-run'],
  ['Members of etcd', 'etcd status'],
] as const;

/** What the page of a real account does not read, and where to find it. */
export const Elsewhere = () => (
  <Panel id="elsewhere" title="Not on this page">
    <p class="quiet">
      Pods are read only of nodes that leave, and not through the scale API. Alarms are in CloudWatch.
    </p>
    <ul>
      {places.map(([what, command]) => (
        <li key={what}>
          <span>{what}</span> <DroverCommand args={command} what={`the command for: ${what}`} />
        </li>
      ))}
    </ul>
  </Panel>
);
