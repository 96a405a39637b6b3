export interface DemoPlaces {
  readonly pageUrl: string;
  readonly cloneDir: string;
  readonly clustersDir: string;
  readonly kubeconfigPath: string;
  readonly settingsPath: string;
  /** The cluster to label. */
  readonly labelled: string;
  /** How this program is called here. */
  readonly program: string;
}

/** What a newcomer can do with the running demo: commit, label, and break something. */
export function demoGuide(places: DemoPlaces): string {
  const drift = `${places.program} drift -c ${places.settingsPath}`;
  return `
Three things to try, each in another terminal:

  1. Commit. German for the shop, in production and nowhere else:
       cd ${places.cloneDir}
       perl -pi -e 's/zh-CN,en$/zh-CN,en,de/' apps/frontend/settings.yaml
       git commit -am 'Speak German' && git push

  2. Label a cluster. The maintenance page comes up there at once;
     take the label away again, and it goes after ten seconds:
       perl -pi -e 's/^  labels:/$&\\n    maintenance: "true"/' ${places.clustersDir}/${places.labelled}.yaml

  3. Break something by hand. It is back within a second, and drift tells who did what:
       export KUBECONFIG=${places.kubeconfigPath}
       kubectl --context shanghai-prod -n shop scale deployment frontend --replicas=1
       kubectl --context shanghai-prod -n shop delete service checkout
       ${drift}

Status of the fleet: ${places.pageUrl}
Before you push, see what it would do in every cluster:
       ${places.program} plan --dir ${places.cloneDir} -c ${places.settingsPath}

Ctrl-C ends everything and removes ${places.settingsPath.replace(/\/[^/]*$/, '')}.
`;
}
