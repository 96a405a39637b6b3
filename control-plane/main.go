// Command control-plane holds the three programs of a Kubernetes control plane in one binary, each exactly as
// its project builds it: `control-plane etcd FLAGS`, `control-plane kube-apiserver FLAGS` and
// `control-plane kube-controller-manager FLAGS` take the flags of the official binaries of these names.
package main

import (
	"fmt"
	"os"

	"go.etcd.io/etcd/server/v3/etcdmain"
	"k8s.io/component-base/cli"
	apiserver "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanager "k8s.io/kubernetes/cmd/kube-controller-manager/app"
)

const usage = "usage: control-plane etcd|kube-apiserver|kube-controller-manager [flags]"

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, usage)
		os.Exit(2)
	}
	program := os.Args[1]
	// Each program reads os.Args itself and expects its own name at the front.
	os.Args = os.Args[1:]
	switch program {
	case "etcd":
		etcdmain.Main(os.Args)
	case "kube-apiserver":
		os.Exit(cli.Run(apiserver.NewAPIServerCommand()))
	case "kube-controller-manager":
		os.Exit(cli.Run(controllermanager.NewControllerManagerCommand()))
	default:
		fmt.Fprintf(os.Stderr, "unknown program %q\n%s\n", program, usage)
		os.Exit(2)
	}
}
