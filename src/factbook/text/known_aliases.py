"""Other names that no rule can know: a short curated list, and honest about being one.

Each line is one thing, its usual name first, parted by commas. Only names that mean the same
everywhere; what is ambiguous ("TF", "Georgia") is left out. Every spelling is compared folded and
without spaces and dots.
"""

from __future__ import annotations

from collections.abc import Mapping

TABLES: Mapping[str, str] = {
    "technology": """
        PostgreSQL, postgres, psql, pgsql, postgre
        MySQL, my sql
        MongoDB, mongo
        Microsoft SQL Server, SQL Server, MSSQL, MS SQL
        Elasticsearch, elastic search
        BigQuery, Google BigQuery
        RabbitMQ, rabbit mq
        JavaScript, JS
        TypeScript, TS
        Python, CPython
        Go, golang, go lang
        C#, csharp, c sharp
        C++, cpp, c plus plus, cplusplus
        F#, fsharp, f sharp
        .NET, dotnet, dot net
        Rust, rust lang, rustlang
        Ruby on Rails, Rails, RoR
        Node.js, node, nodejs
        React, React.js
        Vue, Vue.js
        Next.js, nextjs
        Express, Express.js
        Tailwind CSS, tailwind
        Kubernetes, k8s, kube
        Amazon Web Services, AWS
        Amazon S3, S3
        Amazon EC2, EC2
        Google Cloud Platform, GCP, Google Cloud
        Microsoft Azure, Azure
        Visual Studio Code, VS Code, VSCode
        GitHub, GH
        GitHub Actions, GHA
        scikit-learn, sklearn
        PyTorch, torch
        Hugging Face, HF, huggingface
        Apache Kafka, Kafka
        Apache Spark, Spark, PySpark
        Apache Airflow, Airflow
        macOS, OS X, Mac OS X, OSX, Mac OS
        LaTeX, La TeX
        Protocol Buffers, protobuf
        WebAssembly, Wasm
        OpenTelemetry, OTel
        Large language model, LLM
        Machine learning, ML
    """,
    "organization": """
        Meta Platforms, Meta
        Volkswagen, VW
        Bayerische Motoren Werke, BMW
        Hewlett-Packard, HP
        General Electric, GE
        General Motors, GM
        Procter & Gamble, P&G
        Johnson & Johnson, J&J
        American Telephone and Telegraph, AT&T
        PricewaterhouseCoopers, PwC
        Ernst & Young, EY
        Bank of America, BofA
        JPMorgan Chase, JP Morgan Chase
        International Business Machines, IBM
        United Nations, UN
        European Union, EU
        World Health Organization, WHO
        North Atlantic Treaty Organization, NATO
        National Aeronautics and Space Administration, NASA
        Massachusetts Institute of Technology, MIT
        University of California Los Angeles, UCLA
        University of California Berkeley, UC Berkeley
        British Broadcasting Corporation, BBC
        The New York Times, NYT, NY Times
    """,
    "place": """
        United States of America, USA, US, United States
        United Kingdom, UK
        United Arab Emirates, UAE
        New York City, NYC
        Los Angeles, LA
        San Francisco, SF
        Washington D.C., Washington DC, DC
        Philadelphia, Philly
        Las Vegas, Vegas
        Mumbai, Bombay
        Beijing, Peking
        Kyiv, Kiev
        Ho Chi Minh City, Saigon
        Munich, München
        Cologne, Köln
        Nuremberg, Nürnberg
        Vienna, Wien
        Zurich, Zürich
        Geneva, Genève, Genf
        Brussels, Bruxelles, Brüssel
        The Hague, Den Haag
        Copenhagen, København
        Gothenburg, Göteborg
        Prague, Praha
        Warsaw, Warszawa
        Krakow, Kraków, Cracow
        Lisbon, Lisboa
        Seville, Sevilla
        Rome, Roma
        Milan, Milano
        Turin, Torino
        Naples, Napoli
        Venice, Venezia
        Florence, Firenze
        Athens, Αθήνα
        Moscow, Москва
        Saint Petersburg, Санкт-Петербург
        Tokyo, 東京
        Japan, 日本
        Germany, Deutschland
        Spain, España
        Czech Republic, Czechia
        Turkey, Türkiye
        Ivory Coast, Côte d'Ivoire
    """,
    "metric": """
        cost per acquisition, CPA
        cost per click, CPC
        click-through rate, CTR
        return on ad spend, ROAS
        return on investment, ROI
        monthly recurring revenue, MRR
        annual recurring revenue, ARR
        monthly active users, MAU
        daily active users, DAU
        net promoter score, NPS
        customer acquisition cost, CAC
        lifetime value, LTV
    """,
}
"""By kind. A product may bear a technology's aliases and the other way round."""

NEAR = {"product": "technology", "concept": "technology"}
"""Kinds that read another kind's list."""
