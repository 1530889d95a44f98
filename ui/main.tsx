import { showCluster } from './cluster.tsx';
import { showClusters } from './clusters.tsx';

const root = document.getElementById('app');
if (!root) throw new Error('the page has no #app');

if (document.documentElement.dataset['page'] === 'clusters') showClusters(root);
else showCluster(root);
